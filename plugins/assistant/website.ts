import { createHmac } from 'node:crypto';
import type { PluginCall, PluginReader, PluginSession } from 'palimpsest/plugin';
import { assistant, mayAct } from './area.ts';

/** Signs the tokens that administrators get. Without it, they get none. */
export const assistantSecret = 'ASSISTANT_SECRET';
/** Lifetime of a token in milliseconds, and the minimum left of one that is shown again. */
const tokenStands = 15 * 60 * 1000;
const enough = 5 * 60 * 1000;

export function findsNoToken(call: PluginCall<PluginReader>): boolean {
  return mayHaveToken(call) && mayAct(call.model) && knownToken(call) === null;
}

export function noteToken(call: PluginCall<PluginSession>): void {
  const until = untilFrom(call.now);
  const wanted = { name: 'Assistant', until: until * 1000, publishes: false };
  call.model.issueToken(call.user, { ...wanted, signature: signatureOf(until, call) });
}

export function showWebsite(call: PluginCall<PluginReader>) {
  const { model } = call;
  const { url, name } = model.site();
  const { choice } = model.document(assistant);
  const plugins = call.plugins().filter(({ active }) => active);
  return {
    data: {
      domain: domainOf(url),
      token: tokenFor(call),
      metadata: {
        environment_info: {
          cms_version: call.server.versions.cms,
          is_multisite: false,
          debug: false,
          web_server: 'node',
          runtime_version: process.versions.node,
        },
        site_settings: { website_url: url, site_title: name, site_language: 'en' },
        plugin_info: { active_plugins: plugins.map(({ slug }) => slug) },
        theme_info: { active_theme: call.theme()?.name ?? '' },
        rest_api_endpoints: { base_rest_uri: model.interfaceUrl(), base_panel_uri: `${url}/` },
        assistant: { mcp_choice: choice, allow: { create: choice !== 0, update: choice !== 0, delete: false } },
      },
    },
  };
}

function domainOf(url: string): string {
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : pathname.replace(/\/$/, '');
}

function mayHaveToken({ secret, may }: PluginCall<PluginReader>): boolean {
  return secret(assistantSecret) !== null && may('admin');
}

function tokenFor(call: PluginCall<PluginReader>): string {
  if (!mayHaveToken(call)) return '';
  if (mayAct(call.model)) return knownToken(call) ?? '';
  return tokenUntil(untilFrom(call.now), call);
}

function knownToken(call: PluginCall<PluginReader>): string | null {
  const { model, user, now } = call;
  for (const known of model.tokens(user).toReversed()) {
    const until = Date.parse(known.until);
    if (!(until > now + enough)) continue;
    const token = tokenUntil(until / 1000, call);
    if (known.is(token)) return token;
  }
  return null;
}

function tokenUntil(until: number, call: PluginCall<PluginReader>): string {
  return `${call.user}.${until}.${signatureOf(until, call)}`;
}

/** Derives the last part of a token from the secret, so that the token can be shown again. */
function signatureOf(until: number, { user, secret }: PluginCall<PluginReader>): string {
  return createHmac('sha256', secret(assistantSecret) ?? '')
    .update(`${user}.${until}`)
    .digest('hex');
}

/** Expiry of a token made now, in seconds since 1970. */
function untilFrom(now: number): number {
  return Math.floor((now + tokenStands) / 1000);
}
