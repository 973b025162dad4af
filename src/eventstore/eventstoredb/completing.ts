import type { ChainedEvent } from '../chain.ts';
import { AppendTooLarge, LogDamaged } from '../port.ts';
import type { LogCopy } from '../sqlite/store.ts';
import type { AppendLimit } from './append-limit.ts';
import { keyOf, sizeInLedger, toPhysical } from './event.ts';
import { otherLog } from './intake.ts';
import type { Keys } from './keys.ts';
import type { Ledger, LedgerHead } from './ledger.ts';
import type { AppendOrder } from './order.ts';

/** The ledger has only the beginning of a node's log: it was restored from an older backup, or has lost data. */
export class LedgerEndsEarly extends LogDamaged {
  readonly missing: number;

  /** `end`: position of its last event; `own`: that of the node. */
  constructor(end: number, own: number) {
    super(
      `The event store ends at position ${end}, and this node has ${own - end} events more, up to position ${own}. They were ` +
        'acknowledged, so keep its data directory: "event-store complete" on the node that has the most gives them back ' +
        '(docs/operations/incidents.md, The event store has lost data)',
      end + 1,
    );
    this.missing = own - end;
  }
}

/** Throws `LogDamaged` if a ledger that ends at or before a copy is not its beginning, `LedgerEndsEarly` if it is and ends before it. */
export function compareHeads({ position, hash }: LedgerHead, copy: Pick<LogCopy, 'read'>, seen: number): void {
  const [own] = position === 0 ? [] : copy.read({ from: position, limit: 1, sealed: 'none' });
  if (own !== undefined && own.hash !== hash) throw otherLog('its last commit is another one', position);
  if (position < seen) throw new LedgerEndsEarly(position, seen);
}

/** What the ledger has got: positions from one to another. `count` is 0 if it lacked nothing. */
export interface Completed {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

export interface CompletingParts {
  readonly copy: LogCopy;
  readonly keys: Keys;
  readonly ledger: Ledger;
  readonly order: Pick<AppendOrder, 'next' | 'done'>;
  readonly limit: AppendLimit;
}

/**
 * Gives a ledger that is the beginning of a copy what it lacks: the events with their positions, ids, times and hashes. Texts that were erased
 * after the backup are erased there, too. May be repeated after a fault. Throws `LogDamaged` if the ledger is no beginning of the copy.
 */
export async function completeLedger(parts: CompletingParts, signal: AbortSignal): Promise<Completed> {
  const { copy, keys, ledger } = parts;
  // They may be of bundles that the ledger has lost.
  keys.forget();
  const own = copy.head().position;
  const begin = await ledger.head();
  await destroyKeys(erasedBefore(copy, Math.min(begin.position, own)), { keys, ledger });
  for (let head = begin; ; head = await ledger.head()) {
    if (isComplete(head, copy, own)) break;
    const events = nextEvents(parts, head.position);
    await appendTo(parts, events, { position: head.position, signal });
  }
  return { count: Math.max(0, own - begin.position), from: begin.position + 1, to: own };
}

/** Destroys the keys of the texts of events, as far as they have any. */
export async function destroyKeys(
  positions: Iterable<number>,
  { keys, ledger }: Pick<CompletingParts, 'keys' | 'ledger'>,
): Promise<void> {
  const ids: string[] = [];
  for (const position of positions) {
    const event = await ledger.at(position);
    const id = event === undefined ? null : keyOf(event);
    if (id !== null) ids.push(id);
  }
  await keys.destroy(ids);
}

function isComplete(head: LedgerHead, copy: LogCopy, own: number): boolean {
  try {
    compareHeads(head, copy, own);
    return true;
  } catch (error) {
    if (error instanceof LedgerEndsEarly) return false;
    throw error;
  }
}

function* erasedBefore(copy: LogCopy, end: number): Generator<number> {
  for (const { position, sealed, sealedDigest } of copy.chain()) {
    if (position > end) return;
    if (sealed === null && sealedDigest !== null) yield position;
  }
}

/** Whole commits that follow a position, as many as fit into an append, at least one. */
function nextEvents({ copy, limit }: CompletingParts, position: number): readonly ChainedEvent[] {
  const events: ChainedEvent[] = [];
  let commit: ChainedEvent[] = [];
  let bytes = 0;
  for (const event of copy.chain(position + 1)) {
    commit.push(event);
    bytes += sizeInLedger(event);
    if (bytes > limit.bytes && events.length > 0) break;
    if (event.commit.i < event.commit.n - 1) continue;
    events.push(...commit);
    commit = [];
  }
  return events;
}

async function appendTo(
  { keys, ledger, order, limit }: CompletingParts,
  events: readonly ChainedEvent[],
  { position, signal }: { readonly position: number; readonly signal: AbortSignal },
): Promise<void> {
  const fresh = (await keys.take(events.filter(({ sealed }) => sealed !== null).length))[Symbol.iterator]();
  const key = () => fresh.next().value as never;
  const by = order.next();
  const physical = events.map((event, i) => toPhysical(event, key, i === events.length - 1 ? by : undefined));
  const { bytes } = limit;
  try {
    // A conflict means that another node does the same: the next look at the head tells.
    await limit.within(physical, () => ledger.append(physical, position, signal));
  } catch (error) {
    // The next piece is smaller.
    if (!(error instanceof AppendTooLarge && limit.bytes < bytes)) throw error;
  } finally {
    order.done();
  }
}
