import { createHmac } from 'node:crypto';
import { assistant } from '#domain/plugins/assistant/area.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { pluginsOf, themeOf } from '#domain/plugins/extensions/catalogue.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { interfaceUrl } from '../../../names.ts';
import { data } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';

/** Seconds for which a token is good. */
const tokenStands = 15 * 60;

export function showWebsite({ model, viewer }: Call<Model>, parts: PluginParts): Answer {
  const { settings, deployment } = parts;
  const site = model.site();
  const { url, name } = site;
  const state = model.plugin(extensions);
  const plugins = pluginsOf(deployment, state).filter(({ active }) => active);
  return data({
    domain: domainOf(url),
    token: tokenFor(viewer, parts),
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
      // What the assistant is set up for where it is let in.
      assistant: { mcp_choice: model.plugin(assistant).choice, allow: { create: true, update: true, delete: false } },
    },
  });
}

/** A site that shares its host is known by its folder. */
function domainOf(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : pathname.replace(/\/$/, '');
}

/** `<user>.<seconds since 1970 until which it is good>.<HMAC-SHA256 of both in hex>`; for administrators only. */
function tokenFor(viewer: Viewer, { settings, clock }: PluginParts): string {
  const { assistantSecret } = settings;
  if (assistantSecret === null || !may(viewer, 'manage_options')) return '';
  const claim = `${viewer.id}.${Math.floor(clock() / 1000) + tokenStands}`;
  return `${claim}.${createHmac('sha256', assistantSecret).update(claim).digest('hex')}`;
}
