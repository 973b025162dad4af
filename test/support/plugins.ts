import { createHmac } from 'node:crypto';
import { defaultSettings } from '#catalogue/plugin-settings.ts';
import type { Args } from '#http/engine/types.ts';
import { namespacesIn } from '#http/tables/namespaces.ts';
import type { Model } from '#projections/reading/model.ts';
import { describedSite } from './openapi.ts';
import { type As, type Site, type SiteOptions, startSite } from './site.ts';

/** Secrets that the sites of these tests share with the services that call them. */
export const cacheSecret = 'shared with the cache service';

const settings = {
  siteKey: 'K1234567',
  optimiserHosts: ['optimiser.example'],
  experiments: [
    {
      flag: 'welcome',
      variants: [
        { key: 'long', weight: 1 },
        { key: 'short', weight: 3, payload: { n: 1 } },
      ],
    },
  ],
  tutorials: { en: [{ id: 'begin', title: 'How to begin', duration: '1:30' }], de: [] },
  themes: [
    { slug: 'plain', name: 'Plain', fonts: ['system-ui'] },
    { slug: 'wide', name: 'Wide', fonts: [] },
  ],
};

/** Settings of a process that enable everything of a deployment’s plugins. */
export function pluginEnv(deployment: 'A' | 'B', given: Readonly<Record<string, unknown>> = {}) {
  return {
    DEPLOYMENT: deployment,
    CACHE_SECRET: cacheSecret,
    ASSISTANT_SECRET: 'shared with the assistant',
    PLUGIN_SETTINGS: JSON.stringify({ ...settings, ...given }),
  };
}

/** Starts a site of a deployment with all plugin settings. Responses of its plugin routes must match its description. */
export async function startPluginSite(
  deployment: 'A' | 'B',
  given: Readonly<Record<string, unknown>> = {},
  options: SiteOptions = {},
): Promise<Site> {
  const env = { ...pluginEnv(deployment, given), ...options.env };
  const names = namespacesIn(deployment).map(({ name }) => name);
  return describedSite(await startSite({ ...options, env }), { namespaces: names, key: deployment });
}

/** Parameters of the plugin routes of a deployment, including those that the index does not list. */
export function pluginArgs(deployment: 'A' | 'B'): ReadonlyMap<string, Args<Model>> {
  const open = () => {
    throw new Error('nothing is uploaded');
  };
  const parts = { deployment, settings: defaultSettings, uploads: { open }, clock: () => 0 } as never;
  const routes = namespacesIn(deployment).flatMap((namespace) => namespace.routes?.(parts) ?? []);
  return new Map(routes.map(({ pattern, endpoints: [endpoint] }) => [pattern, endpoint?.args ?? {}]));
}

/** Calls a route below the route root: `POST /cache/v1/…`. */
export function callPlugin(site: Site, as: As, request: string, body?: unknown) {
  return site.call(as, request.replace(' /', ' /cms-json/'), body);
}

export interface Signing {
  readonly secret?: string;
  /** Seconds since 1970; default: the time of the site. */
  readonly time?: number;
  /** Values that are signed instead of those of the request. */
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
}

/** Returns the signature header of a callback. */
export function signatureOf(site: Site, path: string, body: string, signing: Signing = {}): string {
  const { secret = cacheSecret, time = Math.floor(site.clock.now / 1000), method = 'POST' } = signing;
  const text = `${time}.${method} ${signing.path ?? path}\n${signing.body ?? body}`;
  return `t=${time},v1=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

let calls = 0;

/** Sends a callback as the cache service does. Each has a different signature, even with the same body. */
export async function callback(site: Site, path: string, fields: Readonly<Record<string, unknown>> = {}) {
  calls += 1;
  const body = JSON.stringify({ ...fields, nonce: calls });
  return sendCallback(site, path, body, signatureOf(site, path, body));
}

export function sendCallback(site: Site, path: string, body: string, signature: string, type = 'application/json') {
  const headers = { 'content-type': type, 'x-cache-signature': signature };
  return site.call('anonymous', `POST /cms-json${path}`, body, { headers });
}
