import type { Session } from '#commands/session.ts';
import { isSame, makeToken, signatureOf, takesTokens } from '#commands/tokens.ts';
import { assistant } from '#domain/plugins/assistant/area.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { pluginsOf, themeOf } from '#domain/plugins/extensions/catalogue.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';

/** Lifetime of a token in milliseconds, and the minimum left of one that is shown again. */
const tokenStands = 15 * 60 * 1000;
const enough = 5 * 60 * 1000;

export function findsNoToken(model: Model, { viewer }: Call<Model>, parts: PluginParts): boolean {
  return mayHaveToken(viewer, parts) && takesTokens(model) && knownToken(model, viewer, parts) === null;
}

export function noteToken(session: Session, { viewer }: Call<Model>, parts: PluginParts): void {
  const user = session.user(viewer.id);
  const { assistantSecret: secret } = parts.settings;
  if (user === undefined || secret === null) return;
  const until = untilFrom(parts.clock());
  const wanted = { name: 'Assistant', until: until * 1000, publishes: false };
  makeToken(session, user, wanted, signatureOf(viewer.id, until, secret));
}

export function showWebsite(model: Model, { viewer }: Pick<Call<Model>, 'viewer'>, parts: PluginParts): Answer {
  const { settings, deployment } = parts;
  const site = model.site();
  const { url, name } = site;
  const state = model.plugin(extensions);
  const { choice } = model.plugin(assistant);
  const plugins = pluginsOf(deployment, state).filter(({ active }) => active);
  return data({
    domain: domainOf(url),
    token: tokenFor(model, viewer, parts),
    metadata: {
      environment_info: {
        cms_version: settings.versions.cms,
        is_multisite: false,
        debug: false,
        web_server: 'node',
        runtime_version: process.versions.node,
      },
      site_settings: { website_url: url, site_title: name, site_language: 'en' },
      plugin_info: { active_plugins: plugins.map(({ slug }) => slug) },
      theme_info: { active_theme: themeOf(settings.themes, state)?.name ?? '' },
      rest_api_endpoints: { base_rest_uri: interfaceUrl(site), base_panel_uri: `${url}/` },
      assistant: { mcp_choice: choice, allow: { create: choice !== 0, update: choice !== 0, delete: false } },
    },
  });
}

function domainOf(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : pathname.replace(/\/$/, '');
}

function mayHaveToken(viewer: Viewer, { settings }: PluginParts): boolean {
  return settings.assistantSecret !== null && may(viewer, 'manage_options');
}

function tokenFor(model: Model, viewer: Viewer, parts: PluginParts): string {
  if (!mayHaveToken(viewer, parts)) return '';
  if (takesTokens(model)) return knownToken(model, viewer, parts) ?? '';
  return tokenUntil(untilFrom(parts.clock()), viewer, parts);
}

function knownToken(model: Model, viewer: Viewer, parts: PluginParts): string | null {
  const { passwords = [] } = model.user(viewer.id) ?? {};
  for (const password of passwords.toReversed()) {
    const until = Date.parse(password.token?.until ?? '');
    if (!(until > parts.clock() + enough)) continue;
    const token = tokenUntil(until / 1000, viewer, parts);
    if (isSame(password, token)) return token;
  }
  return null;
}

function tokenUntil(until: number, { id }: Viewer, { settings }: PluginParts): string {
  return `${id}.${until}.${signatureOf(id, until, settings.assistantSecret ?? '')}`;
}

/** Expiry of a token made now, in seconds since 1970. */
function untilFrom(now: number): number {
  return Math.floor((now + tokenStands) / 1000);
}
