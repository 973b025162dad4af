import { randomUUID } from 'node:crypto';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { viewerOf } from '#domain/user/roles.ts';
import { filesOf, hostOf } from '#http/app/host.ts';
import { sourceOf } from '#http/feed/source.ts';
import type { AsOf } from '#http/pages/as-of.ts';
import { fileKeyOf } from '#media/files.ts';
import { FileCheck } from '#media/intact.ts';
import { openMedia } from '#media/open.ts';
import { measureDirectory } from '#node/directory-sizes.ts';
import type { PastState } from '#node/past-state.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';
import type { Config } from '../config.ts';
import { siteApp } from './site-app.ts';

export interface PastSite {
  readonly app: ReturnType<typeof siteApp>;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PastLooking {
  /** Default: anonymous. */
  readonly login?: string | undefined;
  readonly served?: (() => string) | undefined;
}

const READ_ONLY = refuse('rest_read_only', 'This is the site as it was. Nothing can be changed here.');

/** Creates a read-only server of the site at a past state. */
export async function pastSite(
  state: PastState,
  config: Config,
  { login, served }: PastLooking = {},
): Promise<PastSite | Refusal> {
  const { reader, log, past } = state;
  const user = login === undefined ? undefined : reader.userByLogin(login);
  if (login !== undefined && user === undefined) return refuse('unknown_user', `There was no user "${login}".`);
  const store = {
    reader,
    cacheVersions: new CacheVersions(),
    submit: nothing,
    isCurrent: () => true,
    past,
  };
  const asOf = served === undefined ? undefined : asOfIn(state, served);
  const host = hostOf(store);
  // Known to this process only.
  const password = randomUUID();
  const isUser = (name: string, given: string) => user !== undefined && name === user.login && given === password;
  const kept = await openMedia(config);
  const check = new FileCheck(kept, fileKeyOf, () => undefined);
  const files = filesOf({ reader, files: { check, read: (hash, part) => kept.read(fileKeyOf(hash), part) } });
  const app = siteApp({
    config,
    files,
    asOf,
    model: () => reader,
    clock: () => Date.parse(log.head().at ?? '') || 0,
    host: {
      ...host,
      closed: READ_ONLY,
      authenticate: (name, given, now) =>
        user !== undefined && isUser(name, given) ? viewerOf(user) : host.authenticate(name, given, now),
    },
    source: sourceOf({ reader, log, awaited: () => () => undefined }),
    uploads: { limit: config.uploadLimit, open: nothing },
    sizes: measureDirectory(config.dataDir, Date.now),
    served: { onFault: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`) },
  });
  const basic = Buffer.from(`${login}:${password}`).toString('base64');
  return { app, headers: login === undefined ? {} : { authorization: `Basic ${basic}` } };
}

function asOfIn({ reader, log }: PastState, address: () => string): AsOf {
  const { position, at } = log.head();
  const { url, configuredUrl, names } = reader.site();
  const front = names.frontUrl === undefined ? [] : [names.frontUrl];
  return { position, at, formerly: [...new Set([url, configuredUrl, ...front])], address };
}

/** Never called, since the site is closed to writes. */
function nothing(): never {
  throw new Error('nothing is written to the past');
}
