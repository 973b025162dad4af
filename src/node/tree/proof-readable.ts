import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { releases } from '#domain/release/area.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { maySet, PASSWORD, provableTexts, valueSetBy } from '#proofs/histories.ts';
import {
  type AskedPeriod,
  eventsOfStatus,
  type Logged,
  type Picked,
  type ShownEvent,
  setsField,
  shownOf,
} from './proof-events.ts';

/** What visitors could read in a period: when the item was public, the texts that it had then and no others, and who approved their release. */
export function eventsOfReadable(asked: AskedPeriod, at: Logged): readonly Picked[] | Refusal {
  const status = eventsOfStatus(asked, at);
  if (isRefusal(status)) return status;
  const last = status.at(-1)?.event.position ?? 0;
  const rows = [...at.log.salted({ stream: asked.stream, sealed: 'brief' })].filter(({ position }) => position <= last);
  const picked = [...status, ...textsOf(rows, asked)];
  const all = [...picked, ...approvalsOf(picked, at)];
  const merged = Map.groupBy(all, ({ event }) => event.position);
  return [...merged.values()]
    .map(together)
    .flatMap((one) => one ?? [])
    .sort((a, b) => a.event.position - b.event.position);
}

function together(same: readonly Picked[]): Picked | undefined {
  const opens = same.flatMap((one) => one.opens ?? []);
  return same[0] && { event: same[0].event, opens: same.every((one) => one.opens === null) ? null : opens };
}

/** The events that set a text which could be read in the period; those between show by their names that they set none. */
function textsOf(rows: readonly ChainedEvent[], { stream, low, high }: AskedPeriod): readonly Picked[] {
  const texts = provableTexts(stream);
  const setters = new Map<string, number>();
  const opened = new Map<number, Set<string>>();
  let [status, password]: [unknown, unknown] = [undefined, ''];
  const shown = rows.map(shownOf);
  for (const [i, event] of shown.entries()) {
    for (const field of texts) if (event.names !== null && maySet(field, event)) setters.set(field, i);
    if (setsField('status', event)) status = valueSetBy('status', event);
    if (setsField(PASSWORD, event)) password = event.opened?.[PASSWORD];
    const next = rows[i + 1];
    const [isPublic, isInPeriod] = [status === 'publish' && password === '', event.position <= high];
    // Between the events of a commit nobody read anything.
    const isSeen = next === undefined || (next.position > low && commitOf(next) !== commitOf(rows[i] as ChainedEvent));
    if (!(isPublic && isInPeriod && isSeen)) continue;
    for (const [field, place] of setters) opened.set(place, (opened.get(place) ?? new Set()).add(field));
  }
  const first = Math.min(...opened.keys());
  return rows.flatMap((event, i) => {
    const mayHide =
      event.position <= high && texts.some((field) => maySet(field, { ...(shown[i] as ShownEvent), names: null }));
    return i < first ? [] : [{ event, opens: opened.has(i) || mayHide ? [...(opened.get(i) ?? [])] : null }];
  });
}

/** Where the commit of an event begins. */
function commitOf({ position, commit }: ChainedEvent): number {
  return position - commit.i;
}

/**
 * The publications of releases that some of the events are of, and the approvals of exactly what was published; closed, what lies between these
 * in the stream of releases: a proof has no gaps.
 */
function approvalsOf(picked: readonly Picked[], { log, size }: Logged): readonly Picked[] {
  const commits = new Set(picked.map(({ event }) => commitOf(event)));
  const stream = [...log.salted({ stream: releases.stream, sealed: 'none' })].filter(
    ({ position }) => position <= size,
  );
  const contents = ({ data }: ChainedEvent) =>
    JSON.parse(data) as { readonly release: number; readonly digest?: string };
  const isPublication = (event: ChainedEvent) => event.type === 'ReleasePublished' && commits.has(commitOf(event));
  const published = stream.filter(isPublication);
  const isApproval = (event: ChainedEvent) =>
    event.type === 'ReleaseApproved' &&
    published.some((one) => {
      const [approved, carriedOut] = [contents(event), contents(one)];
      const isSame = approved.release === carriedOut.release && approved.digest === carriedOut.digest;
      return isSame && event.position < one.position;
    });
  const places = stream.flatMap((event, i) => (isPublication(event) || isApproval(event) ? [i] : []));
  const between = stream.slice(places[0] ?? stream.length, (places.at(-1) ?? -1) + 1);
  return between.map((event) => ({ event, opens: isApproval(event) ? ['meaning'] : null }));
}
