import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { switchHook } from '#commands/hooks.ts';
import { sourceOf } from '#http/feed/source.ts';
import type { HookWitness } from '#http/hooks/deliver.ts';
import { startHooks } from '#http/hooks/start.ts';
import type { Store } from '#node/types.ts';
import type { Poster } from '#outgoing/post.ts';
import type { Metrics } from './metrics/metrics.ts';

export interface SendingParts {
  readonly store: Store;
  readonly poster: Poster;
  readonly logger: Logger;
  readonly meter: Pick<Metrics, 'hook'> | null;
  readonly onFault: (error: unknown) => void;
}

/** Sends changes to the hooks of a site until the returned function is called. */
export function sendToHooks({ store, poster, logger, meter, onFault }: SendingParts): () => void {
  const witness: HookWitness = {
    taken: (_, changes) => meter?.hook('taken', changes),
    failed(hook, error, isFirst) {
      meter?.hook('failed', 0);
      if (isFirst) logger.warn({ hook, error }, 'a hook does not take messages');
    },
    recovered: (hook) => logger.info({ hook }, 'a hook takes messages again'),
    stopped: (hook, why) => logger.error({ hook, why }, 'a hook was stopped'),
    lost: (hook) => logger.error({ hook }, 'it is not known where a hook goes on: give `hooks replay`'),
  };
  return startHooks({
    // Registers for changes without counting as audience: a permanent audience would keep nodes from applying foreign commits in batches.
    source: { ...sourceOf(store), changed: (listener) => store.changed(listener) },
    progress: store.hooks.progress,
    poster,
    witness,
    onFault,
    clock: Date.now,
    random: Math.random,
    version: () => store.cacheVersions.of('plugins'),
    stop: (hook, why) =>
      store.submit({ viewer: null, correlationId: randomUUID() }, (session) => switchHook(session, hook, why)),
  });
}
