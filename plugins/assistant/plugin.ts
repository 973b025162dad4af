import { definePlugin } from 'palimpsest/plugin';
import { assistant, mayAct } from './area.ts';
import { routes } from './routes.ts';
import { assistantSecret } from './website.ts';

/** Tells an assistant about the site, and lets programs act for users. */
export const plugin = definePlugin({
  name: 'host-ai-assistant',
  listed: { slug: 'host-assistant', name: 'Assistant' },
  secrets: [assistantSecret],
  areas: [assistant],
  namespaces: [{ name: 'host-ai-assistant/v1', routes }],
  takesTokens: mayAct,
});
