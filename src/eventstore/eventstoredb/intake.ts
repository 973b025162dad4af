import { type ChainedEvent, isChainFault, verifyChain } from '../chain.ts';
import { LogDamaged } from '../port.ts';
import type { LogCopy } from '../sqlite/store.ts';
import type { PlacedEvent } from './client.ts';
import { appenderOf, fromPlaced } from './event.ts';
import type { Keys } from './keys.ts';
import type { AppendOrder } from './order.ts';

export interface LedgerIntake {
  /**
   * Adds the whole commits among consecutive events to the copy, skipping existing ones. Returns the events at the end that are not a
   * whole commit yet. Throws `LogDamaged` when they do not continue the copy.
   */
  take(events: readonly PlacedEvent[]): Promise<readonly PlacedEvent[]>;
}

export interface LedgerIntakeOptions {
  readonly copy: LogCopy;
  readonly keys: Pick<Keys, 'find'>;
  readonly order: Pick<AppendOrder, 'seen'>;
  /** Called when this has added events to the copy. */
  readonly onTaken: () => void;
}

export function createLedgerIntake({ copy, keys, order, onTaken }: LedgerIntakeOptions): LedgerIntake {
  async function add(events: readonly ChainedEvent[], whole: readonly PlacedEvent[]): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    await copy.take((head) => {
      // Decoding takes time; the copy may have got the same events in another way meanwhile.
      const news = events.filter(({ position }) => position > head.position);
      if (news.length === 0) return { events: news, head };
      const reached = verifyChain(news, head, { streamHead: copy.streamHead });
      if (isChainFault(reached)) throw otherLog(reached.message, reached.position);
      before = head.position;
      return { events: news, head: reached };
    });
    if (before === Number.POSITIVE_INFINITY) return;
    onTaken();
    for (const event of whole) {
      const appender = event.revision < before ? null : appenderOf(event);
      if (appender !== null) order.seen(appender, event.revision + 1);
    }
  }

  return {
    async take(placed) {
      const whole = placed.slice(0, endOfCommits(placed));
      const events: ChainedEvent[] = [];
      for (const event of whole) if (event.revision >= copy.head().position) events.push(await fromPlaced(event, keys));
      if (events.length > 0) await add(events, whole);
      return placed.slice(whole.length);
    },
  };
}

function endOfCommits(placed: readonly PlacedEvent[]): number {
  return placed.findLastIndex(({ metadata }) => (metadata as { hash?: unknown } | null)?.hash !== null) + 1;
}

/** The fault when the ledger is not, or no longer, the one copied by this node; `position`: where they begin to differ. */
export function otherLog(reason: string, position: number): LogDamaged {
  return new LogDamaged(
    `The event store has another log than this node, from position ${position} on: ${reason}`,
    position,
  );
}
