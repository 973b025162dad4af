import { definePlugin } from 'palimpsest/plugin';
import { forgetStyles, themeStyles } from './area.ts';
import { routes } from './routes.ts';
import { pageStyles } from './rules.ts';

/** Data that the blocks of a theme need in editors, and the styles of these blocks. */
export const plugin = definePlugin({
  name: 'theme-blocks',
  listed: { slug: 'theme-blocks', name: 'Theme blocks' },
  areas: [themeStyles],
  namespaces: [{ name: 'theme-blocks/v1', routes }],
  reactions: [forgetStyles],
  pageStyles,
});
