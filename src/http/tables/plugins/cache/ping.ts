import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { assetKinds } from '#domain/plugins/cache-assets/slots.ts';
import { assetQueue } from '#projections/plugins/asset-queue.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Args, Call } from '../../../engine/types.ts';
import { ok } from '../kit/envelopes.ts';
import { isForbidden } from '../kit/names.ts';
import type { PluginParts } from '../kit/namespace.ts';

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

export const pingArgs: Args<Model> = Object.fromEntries(groups.map((group) => [group, names]));

/** Version of the settings of the cache. */
const settingsVersion = '1';

export function ping({ model, params }: Call<Session>, { settings, compress }: PluginParts): Answer {
  const { url } = model.site();
  const asked = groups.flatMap((group) => (params[group] ?? []) as readonly string[]).slice(0, maxNames);
  const probes = asked
    .filter((name) => name !== verdict && !isForbidden(name))
    .map((name) => [name, capabilities.has(name) || (compress && compressions.has(name)) ? 'y' : 'n']);
  return ok({
    ...Object.fromEntries(probes),
    v_cache: settings.versions.cache,
    v_cache_db: settingsVersion,
    v_runtime: process.versions.node,
    v_cms: settings.versions.cms,
    home_url: url,
    site_url: url,
    queues: Object.fromEntries(assetKinds.map((kind) => [kind, model.of(assetQueue).count(kind)])),
  });
}
