import type { Viewer } from '#domain/user/roles.ts';
import type { AnswerCache, RecentRequests } from './cache.ts';
import { headerIn, isPlainRead, type RawRequest } from './input.ts';
import { JSON_TYPE } from './present.ts';
import { replyOf } from './reply.ts';
import type { Runtime } from './runtime.ts';
import { type AnsweredReply, asSent, isWanted, type Sending } from './sent.ts';
import type { FoundEndpoint } from './table.ts';

interface HeldParts<M, S extends M> {
  readonly runtime: Runtime<M, S>;
  readonly cache: AnswerCache;
  readonly recentRequests: RecentRequests;
  readonly rootLink: () => string;
  readonly compresses: boolean;
}

interface Asked extends RawRequest {
  readonly url: string;
  readonly viewer: Viewer;
  readonly ahead?: true;
}

/** A kept answer to the same request that is still true. */
export function kept<M, S extends M>(
  self: HeldParts<M, S>,
  request: Asked,
): AnsweredReply | Promise<AnsweredReply> | null {
  const { cache, runtime } = self;
  const { names } = runtime;
  if (!isPlainRead(request, names)) return null;
  const { headers, url, viewer } = request;
  const found = cache.find(url, viewer, headerIn(headers, 'accept-encoding'));
  if (found === null) return null;
  return asSent(sendingOf(self), request, { ...found, position: null, from: 'kept' });
}

/** The ready answer for an anonymous request without a query string. It is cached only when it is requested a second time. */
export function ready<M, S extends M>(
  self: HeldParts<M, S>,
  request: Asked,
  found: FoundEndpoint<M, S> | null,
): AnsweredReply | Promise<AnsweredReply> | null {
  const { viewer, query, url } = request;
  const { runtime, cache, recentRequests, rootLink } = self;
  const { names } = runtime;
  if (viewer.id !== 0 || query !== '' || !isPlainRead(request, names)) return null;
  const model = runtime.host.model();
  const endpoint = found?.endpoint.endpoint;
  if (found === null || endpoint === undefined || !('query' in endpoint)) return null;
  const answer = endpoint.ready?.(model, found.path) ?? null;
  if (answer === null) return null;
  const { bytes, version, digest, allow, depends, release } = answer;
  const tagged = { version, digest };
  const head = { names, type: JSON_TYPE, viewer, rootLink: rootLink(), headers: answer.headers, allow, tagged };
  const reply = { ...replyOf(200, bytes, head), release };
  const route = found.route.route.pattern;
  if (isWanted(recentRequests, request)) {
    const versions = depends.map((key) => ({ key, version: runtime.host.cacheVersion(key) }));
    cache.keep(url, viewer, { reply, route, versions });
  }
  return asSent(sendingOf(self), request, { reply, route, position: null, from: 'ready' });
}

export function sendingOf<M, S extends M>(self: HeldParts<M, S>): Sending {
  return {
    cache: self.cache,
    recentRequests: self.recentRequests,
    names: self.runtime.names,
    compresses: self.compresses,
  };
}
