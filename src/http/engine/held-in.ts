import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EngineHost, Preview, Runtime } from './host.ts';
import type { Input } from './input.ts';
import type { FoundEndpoint } from './table.ts';

export const NOT_HELD = refuse(
  'rest_release_not_supported',
  'Only writes of posts, pages, media, menu items, patterns, navigations, templates, styles and settings can wait in a release, each by itself: no uploads, and none within a batch.',
);

/** What a request is held in, '' if it does not say that in a readable way; null: it is carried out now. */
export function heldIn<M, S extends M>(
  host: EngineHost<M, S>,
  input: Input,
  { viewer: { token }, found }: { readonly viewer: Viewer; readonly found: FoundEndpoint<M, S> },
): string | null {
  if (host.holding === undefined || input.method === 'OPTIONS') return null;
  // A token that writes into a release writes nowhere else.
  return token?.release === undefined ? namedIn(host, input, found) : String(token.release);
}

/** Refuses a request that cannot be held although it says so: one of a batch. Null: it does not. */
export function refusedHeld<M, S extends M>(
  host: EngineHost<M, S>,
  input: Input,
  found: FoundEndpoint<M, S>,
): Refusal | null {
  return namedIn(host, input, found) === null ? null : NOT_HELD;
}

function namedIn<M, S extends M>(
  { holding }: EngineHost<M, S>,
  { sources }: Input,
  found: FoundEndpoint<M, S>,
): string | null {
  // Where the endpoint itself has such a parameter, it means something else.
  if (holding === undefined || found.endpoint.args.byName.has(holding.parameter)) return null;
  const named = sources.map((source) => source[holding.parameter]).find((value) => value !== undefined);
  if (named === undefined) return null;
  return typeof named === 'string' || typeof named === 'number' ? String(named) : '';
}

/** What a preview shows that a read names; null: it names none. */
export function previewFor<M, S extends M>(
  { host }: Runtime<M, S>,
  { method, path, sources }: Input,
  { endpoint }: FoundEndpoint<M, S>,
): Preview | Refusal | null {
  const isRead = (method === 'GET' || method === 'HEAD') && 'query' in endpoint.endpoint;
  return isRead ? (host.preview?.({ path, query: Object.assign({}, ...sources.toReversed()) }) ?? null) : null;
}
