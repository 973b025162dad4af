import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore, ReadQuery, StoredEvent } from './port.ts';

export interface Feed {
  readonly subscribe: EventStore['subscribe'];
  /** Signals that the log has grown. Subscribers are called later, never within this call. */
  wake(): void;
  /** Ends all subscriptions. */
  close(): void;
}

interface Subscription {
  active: boolean;
  readonly onCommit: (events: readonly StoredEvent[]) => void | Promise<void>;
}

/** Consecutive commits delivered before other work gets its turn. */
const COMMITS_PER_TURN = 64;

export function createFeed(read: (query: ReadQuery) => Iterable<StoredEvent>): Feed {
  const subscriptions = new Set<Subscription>();
  let growth = Promise.withResolvers<void>();

  async function follow(from: number, subscription: Subscription): Promise<void> {
    let position = from;
    await turn();
    while (subscription.active) {
      // Taken before reading, so that growth during the delivery is not missed.
      const grown = growth.promise;
      position = await deliver(read, position, subscription);
      await grown;
    }
  }

  function wake(): void {
    const { resolve } = growth;
    growth = Promise.withResolvers();
    setImmediate(resolve);
  }

  return {
    subscribe(from, onCommit, onError) {
      const subscription: Subscription = { active: true, onCommit };
      const end = () => {
        subscription.active = false;
        subscriptions.delete(subscription);
      };
      subscriptions.add(subscription);
      follow(from, subscription).catch((error: unknown) => {
        end();
        if (onError === undefined) throw error;
        onError(error);
      });
      return end;
    },
    wake,
    close() {
      for (const subscription of subscriptions) subscription.active = false;
      subscriptions.clear();
    },
  };
}

async function deliver(read: (query: ReadQuery) => Iterable<StoredEvent>, from: number, subscription: Subscription) {
  let position = from;
  let delivered = 0;
  let commit: StoredEvent[] = [];
  for (const event of read({ from: from + 1 })) {
    const { i, n } = event.commit;
    if (commit.length === 0 && i > 0)
      for (const earlier of read({ from: event.position - i, to: event.position - 1 })) commit.push(earlier);
    commit.push(event);
    if (i < n - 1) continue;
    await subscription.onCommit(commit);
    position = event.position;
    commit = [];
    delivered += 1;
    if (delivered % COMMITS_PER_TURN === 0) await turn();
    if (!subscription.active) break;
  }
  return position;
}
