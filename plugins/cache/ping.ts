import { assetKinds, type PluginArg, type PluginCall, type PluginSession, z } from 'palimpsest/plugin';
import { done } from './values.ts';

/** What the service may probe by name; everything else is reported as missing. */
const capabilities: ReadonlySet<string> = new Set(['avif', 'hmac', 'json', 'oembed', 'webp']);
/** Available while responses are compressed. */
const compressions: ReadonlySet<string> = new Set(['brotli', 'gzip', 'zstd']);
/** The result in every response; no probed name may override it. */
const verdict = '_res';
const groups = ['funcs', 'classes', 'consts'] as const;
/** Maximum names in all three groups together. */
const maxNames = 100;

const names = { schema: z.array(z.string().max(64)).max(maxNames), hidden: true } as const;

export const pingArgs: Readonly<Record<string, PluginArg>> = Object.fromEntries(groups.map((group) => [group, names]));

/** Version of the settings of the cache. */
const settingsVersion = '1';

/** Names with a meaning in every object. */
const forbidden: readonly string[] = ['__proto__', 'constructor', 'prototype'];

export function ping({ model, params, server }: PluginCall<PluginSession>) {
  const { url } = model.site();
  const asked = groups.flatMap((group) => (params[group] ?? []) as readonly string[]).slice(0, maxNames);
  const probes = asked
    .filter((name) => name !== verdict && !forbidden.includes(name))
    .map((name) => [name, capabilities.has(name) || (server.compresses && compressions.has(name)) ? 'y' : 'n']);
  return done({
    ...Object.fromEntries(probes),
    v_cache: server.versions.cache,
    v_cache_db: settingsVersion,
    v_runtime: process.versions.node,
    v_cms: server.versions.cms,
    home_url: url,
    site_url: url,
    queues: Object.fromEntries(assetKinds.map((kind) => [kind, model.waitingAssets(kind).length])),
  });
}
