import { type ChainedEvent, type ChainFault, isChainFault, verifyChain } from '../chain.ts';
import { type Head, LogDamaged } from '../port.ts';
import type { LogCopy } from '../sqlite.ts';
import type { PlacedEvent } from './client.ts';
import { appenderOf, fromPlaced } from './event.ts';
import type { Keys } from './keys.ts';
import type { AppendOrder } from './order.ts';

export interface Intake {
  /**
   * Takes over the whole commits among consecutive events; what the copy has already is passed over. Answers the
   * events at the end that are not a whole commit yet. Throws `LogDamaged` when they do not follow from the copy.
   */
  take(events: readonly PlacedEvent[]): Promise<readonly PlacedEvent[]>;
}

export interface IntakeOptions {
  readonly copy: LogCopy;
  readonly keys: Pick<Keys, 'find'>;
  readonly order: Pick<AppendOrder, 'seen'>;
  /** Called when the copy has grown by it. */
  readonly onTaken: () => void;
}

export function createIntake({ copy, keys, order, onTaken }: IntakeOptions): Intake {
  return {
    async take(placed) {
      const whole = placed.slice(0, endOfCommits(placed));
      const events: ChainedEvent[] = [];
      for (const event of whole) if (event.revision >= copy.head().position) events.push(await fromPlaced(event, keys));
      // Decoding takes its time; meanwhile the copy may have got the same events another way.
      const head = copy.head();
      const news = events.filter(({ position }) => position > head.position);
      if (news.length > 0) {
        const reached = follow(news, head, copy);
        if (isChainFault(reached)) throw otherLog(reached.message, reached.position);
        try {
          await copy.take({ events: news, head: reached });
        } finally {
          // Also where the disk does not say that it has them: they show in the copy.
          if (copy.head().position > head.position) onTaken();
        }
        for (const event of whole) {
          const appender = event.revision < head.position ? null : appenderOf(event);
          if (appender !== null) order.seen(appender, event.revision + 1);
        }
      }
      return placed.slice(whole.length);
    },
  };
}

function follow(news: readonly ChainedEvent[], head: Head, copy: LogCopy): Head | ChainFault {
  const reached = verifyChain(news, head, { streamHead: copy.streamHead });
  if (!isChainFault(reached)) return reached;
  // Revisions are known before the disk has them and the head shows them: an append of this node may be on its way there.
  return verifyChain(news, head, { streamHead: (stream) => revisionAt(stream, head.position, copy) });
}

function revisionAt(stream: string, position: number, copy: LogCopy): number {
  for (const event of copy.read({ stream, direction: 'backwards' })) {
    if (event.position <= position) return event.revision;
  }
  return 0;
}

function endOfCommits(placed: readonly PlacedEvent[]): number {
  return placed.findLastIndex(({ metadata }) => (metadata as { hash?: unknown } | null)?.hash !== null) + 1;
}

/** The fault of a ledger that is not the one which this node has a copy of, or not any more; `position`: from where on. */
export function otherLog(reason: string, position: number): LogDamaged {
  return new LogDamaged(
    `The event store has another log than this node, from position ${position} on: ${reason}`,
    position,
  );
}
