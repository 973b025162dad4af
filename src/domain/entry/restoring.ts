import type { Fields } from '#domain/undo/inverse.ts';
import { noTerms } from './classification.ts';
import type { EntryFacts } from './commands.ts';
import { difference, partEvents, termDifference } from './difference.ts';
import type { EntryEvent } from './events.ts';
import { detailNames, writtenAtFirst } from './fields.ts';
import { kindOf } from './kinds.ts';
import { mergedPart } from './parts.ts';
import { revisionEvents } from './revising.ts';
import { type Entry, evolveEntry } from './state.ts';
import { textNames } from './texts.ts';

const single = [...textNames, ...detailNames, 'slug', 'author', 'password', 'sticky', 'parent'] as const;

/** An entry as the fields that an undo gives back. When it was saved is none of them, nor are its revisions. */
export function fieldsOfEntry(entry: Entry): Fields<Entry> {
  const { status, trashed, date, dateGmt, categories, tags, otherTerms } = entry;
  const { part: known } = kindOf(entry.kind);
  // One that was never set has the plain values.
  const part = known === null ? null : mergedPart(known, entry.part, {});
  return {
    ...Object.fromEntries(single.map((name) => [name, { [name]: entry[name] }])),
    status: { status, trashed },
    // A floating date moves with every save.
    date: dateGmt === null ? { dateGmt } : { date, dateGmt },
    categories: { categories },
    tags: { tags },
    terms: { otherTerms },
    part: { part },
  };
}

/** Makes an entry what it was; `now` null: it was deleted, and comes back. */
export function restoreEntry(
  now: Entry | null,
  then: Entry,
  facts: Pick<EntryFacts, 'now' | 'nextId' | 'lastRevision'>,
): readonly EntryEvent[] {
  const { local: modified, gmt: modifiedGmt } = facts.now;
  const date = then.dateGmt === null ? modified : then.date;
  const planned: Entry = { ...then, date, modified, modifiedGmt };
  if (now === null) return [created(planned), ...termDifference(noTerms, planned), ...partEvents(null, planned)];
  const events = difference(now, planned, revisionEvents(now, planned, facts));
  return events.map((event) => remembering(event, now, planned));
}

function created(entry: Entry): EntryEvent {
  const {
    trashed,
    otherTerms: _,
    part: __,
    revisions: ___,
    latestRevision: ____,
    latestRevisionGmt: _____,
    ...rest
  } = entry;
  const written = writtenAtFirst(rest, kindOf(entry.kind));
  const lists = { categories: [...rest.categories], tags: [...rest.tags] };
  return {
    type: 'EntryCreated',
    data: { ...written, ...lists, ...(trashed === null ? {} : { trashed }), again: true },
  };
}

/** In the trash it remembers what it remembered, not what it is now. */
function remembering(event: EntryEvent, now: Entry, { trashed }: Entry): EntryEvent {
  if (event.type !== 'EntryTrashed' || trashed === null) return event;
  const usual = evolveEntry(now, [event])?.trashed;
  const isUsual = usual?.status === trashed.status && usual.slug === trashed.slug;
  return isUsual ? event : { type: 'EntryTrashed', data: { ...event.data, former: trashed } };
}
