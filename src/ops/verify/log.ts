import { codec } from '#catalogue/events.ts';
import { type KeptRange, keptIds, type NewId, newIdOf } from '#domain/identities.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import {
  type ChainedEvent,
  type ChainWalk,
  EMPTY_HEAD,
  isChainFault,
  sealHolds,
  walkChain,
} from '#eventstore/chain.ts';
import type { NotedHead } from '#eventstore/head-file.ts';
import { leafOf } from '#eventstore/leaf.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { type Erasable, erasableBy, orderTypes } from '#node/erasure/coverage.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, counted, type Findings, findingsOf, skipped } from './check.ts';
import type { EntriesCheck } from './checkpoints.ts';

export interface LogChecks {
  readonly checks: readonly Check[];
  /** End of the chain; null if the chain is broken. */
  readonly head: Head | null;
}

export interface CheckLog {
  readonly log: LogReader;
  readonly progress: StartProgress;
  readonly noted?: Pick<Head, 'position' | 'hash'> | undefined;
  /** Erasure orders still to be repeated: their texts may already be missing. */
  readonly pending?: readonly { readonly stream: string }[] | undefined;
  /** Checks of what is made of the entries. */
  readonly entries?: readonly EntriesCheck[];
  readonly onEvent: (event: DomainEvent, stored: ChainedEvent) => void | Promise<void>;
}

/** Number of events between two progress reports. */
const stride = 500;

/** Checks a log by position in a single pass: chain, decoding, ids, sealed texts. */
export async function checkLog({ log, progress, noted, pending, entries = [], onEvent }: CheckLog): Promise<LogChecks> {
  const chain = checkChain(noted);
  const decoding = findingsOf('events');
  const ids = checkIds();
  const seals = checkSeals(pending);
  const task = progress({ name: 'checking the log', total: log.top, unit: 'events' });
  let events = 0;
  try {
    for (const stored of log.chain()) {
      events += 1;
      chain.take(stored);
      seals.take(stored);
      if (entries.length > 0) {
        const entry = leafOf(stored);
        for (const check of entries) check.take(entry);
      }
      const event = decoded(stored, decoding);
      if (event !== null) {
        ids.take(event, stored.position);
        await onEvent(event, stored);
      }
      if (events % stride === 0) await task.at(stored.position);
    }
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    chain.damaged(error);
  } finally {
    task.end();
  }
  const { check, head } = chain.end();
  return {
    head,
    checks: [
      check,
      decoding.end(counted(events, 'events')),
      ids.end(),
      seals.end(),
      ...entries.map((one) => one.end()),
    ],
  };
}

function checkChain(noted: CheckLog['noted']) {
  const findings = findingsOf('chain');
  let walk: ChainWalk | null = walkChain(EMPTY_HEAD, { streams: false, sealHolds });
  let events = 0;
  let commits = 0;
  let seen = noted === undefined || noted.position === 0;
  return {
    take(event: ChainedEvent): void {
      events += 1;
      if (event.hash !== null) commits += 1;
      if (event.position === noted?.position) {
        seen = true;
        if (event.hash !== noted.hash) findings.add('This is not the log whose head was noted', event.position);
      }
      // After a fault, further faults may be its consequences.
      const fault = walk?.take(event) ?? null;
      if (fault === null) return;
      findings.add(fault.message, fault.position);
      walk = null;
    },
    damaged({ message, position }: LogDamaged): void {
      findings.add(message, position);
      walk = null;
    },
    end(): { readonly check: Check; readonly head: Head | null } {
      const end = walk?.end() ?? null;
      const head = end === null || isChainFault(end) ? null : end;
      if (end !== null && isChainFault(end)) findings.add(end.message, end.position);
      if (!seen) findings.add('The log ends before the head that was noted');
      return { check: findings.end(`${counted(events, 'events')} in ${counted(commits, 'commits')}`), head };
    },
  };
}

const schemas = new Map(codec.definitions.map(({ type, schema }) => [type, schema]));

function decoded(stored: ChainedEvent, findings: Findings): DomainEvent | null {
  try {
    const event = codec.decode(stored);
    const checked = schemas.get(event.type)?.safeParse(event.data);
    if (checked?.success !== false) return event;
    const [issue] = checked.error.issues;
    findings.add(`${stored.type} does not hold what it should: ${issue?.path.join('.')}`, stored.position);
  } catch (error) {
    findings.add(`${stored.type} cannot be read: ${(error as Error).message}`, stored.position);
  }
  return null;
}

function checkIds() {
  const findings = findingsOf('ids');
  const highest = { item: 0, comment: 0, term: 0, user: 0 };
  const kept = new KeptForLater();
  let count = 0;
  return {
    take(event: DomainEvent, position: number): void {
      for (const range of keptIds(event)) {
        kept.add(range);
        highest[range.of] = Math.max(highest[range.of], range.to - 1);
      }
      const handed = newIdOf(event);
      if (handed === null) return;
      count += 1;
      const { of, id } = handed;
      if (id > highest[of]) highest[of] = id;
      else if (!kept.use(handed))
        findings.add(`${event.type} hands out the ${of} id ${id} after ${highest[of]}`, position);
    },
    end: () => findings.end(`${counted(count, 'ids')}, each given once`),
  };
}

/** Ids that were kept for what a release or a migration makes, each of which is used at most once. */
class KeptForLater {
  /** Ranges are in order: each begins where all before it end. */
  readonly #series = { item: series(), term: series(), user: series(), comment: series() };

  add({ of, from, to }: KeptRange): void {
    const { ranges } = this.#series[of];
    if (from >= (ranges.at(-1)?.to ?? 0)) ranges.push({ from, to });
  }

  /** Uses an id; false if it was not kept, or was used before. */
  use({ of, id }: NewId): boolean {
    const { ranges, used } = this.#series[of];
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.to ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    if ((ranges[low]?.from ?? Number.POSITIVE_INFINITY) > id || used.has(id)) return false;
    used.add(id);
    return true;
  }
}

function series(): { readonly ranges: Omit<KeptRange, 'of'>[]; readonly used: Set<number> } {
  return { ranges: [], used: new Set() };
}

/** Checks that sealed texts exist unless the log orders their erasure: the chain only covers their digests, so it is valid without them. */
function checkSeals(pending: readonly Pick<Erasable, 'stream'>[] = []): {
  take(event: ChainedEvent): void;
  end(): Check;
} {
  const orders = [...pending];
  const gone: (Erasable & Pick<ChainedEvent, 'position'>)[] = [];
  let sealed = 0;
  return {
    take({ position, stream, type, v, actor, data, sealed: text, sealedDigest }) {
      if (orderTypes.includes(type)) orders.push({ stream });
      if (sealedDigest === null) return;
      sealed += 1;
      if (text === null) gone.push({ position, stream, type, v, actor, data });
    },
    end() {
      const findings = findingsOf('texts');
      const isErasable = erasableBy(orders);
      for (const event of gone) {
        if (isErased(event, isErasable)) continue;
        findings.add(`The texts of ${event.type} in ${event.stream} are gone, and nothing orders that`, event.position);
      }
      return findings.end(`${counted(sealed, 'sealed')}, ${counted(gone.length, 'erased')}`);
    },
  };
}

function isErased(event: Erasable, isErasable: (event: Erasable) => boolean): boolean {
  try {
    return isErasable(event);
  } catch {
    // Reported by another check.
    return false;
  }
}

export function checkHead(noted: NotedHead | null, log: Pick<LogReader, 'chain' | 'top'>): Check {
  if (noted === null) return skipped('head', 'none is noted beside the log; a server does so');
  const findings = findingsOf('head');
  const { position, hash } = noted;
  if (position > log.top) {
    findings.add(
      `The log ends at position ${log.top}, positions ${log.top + 1} to ${position} are missing`,
      log.top + 1,
    );
  } else if (position > 0 && hashAt(log, position) !== hash) {
    findings.add('The log does not have the head that is noted in the file "head"', position);
  }
  return findings.end(`position ${position} as noted`);
}

function hashAt(log: Pick<LogReader, 'chain'>, position: number): string | null {
  try {
    for (const event of log.chain(position)) return event.position === position ? event.hash : null;
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
  }
  return null;
}
