import { type Config, readConfig } from '#config.ts';
import { hostOf } from '#http/app/host.ts';
import type { Source } from '#http/feed/source.ts';
import { FollowingReader } from '#node/following-reader.ts';
import { openForeignFeeds } from '#node/foreign-feeds.ts';
import type { Store } from '#node/node.ts';
import { openNodeFile } from '#node/node-file.ts';
import { logPathOf } from '#node/parts/log.ts';
import { projectionsPathOf } from '#node/projections.ts';
import { provedIn } from '#node/tree/proving.ts';
import { reporterOf } from '#process/reporter.ts';
import { appOptionsOf } from '../site-app.ts';
import type { ReaderData } from './messages.ts';

/** What only the main thread has. Whoever asks for it ends the attempt: the main thread answers. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export function unavailable(): never {
  throw new Unavailable('only the main thread has it');
}

/** Stands for something that only the main thread has. */
export function elsewhere<T extends object>(): T {
  return new Proxy(unavailable, { get: unavailable, apply: unavailable }) as unknown as T;
}

/** A reader of the node that is open in this process. */
export function openFollowing({ env }: Pick<ReaderData, 'env'>): {
  readonly config: Config;
  readonly following: FollowingReader;
} {
  const config = readConfig(env);
  const reporter = reporterOf();
  const [logPath, path] = [logPathOf(config), projectionsPathOf(config)];
  const following = new FollowingReader({
    logPath,
    path,
    names: config.names,
    network: config.plugins.cdn,
    feeds: openForeignFeeds({ file: openNodeFile(config.dataDir, reporter), clock: Date.now, reporter }),
  });
  // Following projections may lack what is acknowledged, and only the writer knows when they have it.
  following.reader.followed = unavailable;
  return { config, following };
}

/** The site without what only the main thread has. */
export function readerOptions(
  { config, following }: ReturnType<typeof openFollowing>,
  source: Source,
): ReturnType<typeof appOptionsOf> {
  const { reader, past, cacheVersions } = following;
  return appOptionsOf({
    config,
    source,
    clock: Date.now,
    model: () => reader,
    files: unavailable,
    host: hostOf({ reader, cacheVersions, submit: unavailable, isCurrent: () => true, past }),
    uploads: { limit: config.uploadLimit, open: unavailable },
    store: {
      uses: elsewhere(),
      publicLog: elsewhere(),
      prove: provedIn(config.dataDir),
      hooks: { progress: elsewhere(), isOn: config.webhooks, networks: config.webhookNetworks },
    } as Store,
    outgoing: elsewhere(),
    mayReach: unavailable,
    sizes: unavailable,
    served: { crawler: { makers: null, note: () => undefined, step: unavailable, states: unavailable } },
  });
}
