import { allEvents, codec, coreEvents } from '#catalogue/events.ts';
import { detailNames } from '#domain/entry/fields.ts';
import { besideTypes } from '#domain/entry/revisions.ts';
import { textNames } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { settingNames } from '#domain/site/settings.ts';
import { taxonomies } from '#domain/term/events.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { summaryOf } from './event-summaries.ts';
import type { SummaryTexts } from './event-summary.ts';
import { type History, settersBefore } from './history.ts';

export interface FieldChange {
  /** As in events, such as `featuredMedia`. */
  readonly name: string;
  /** Null: erased. Empty: none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Members of events that are fields of an item, by the first word of the event type. Secrets and digests are none. */
const members: Readonly<Record<string, readonly string[]>> = {
  Entry: [
    ...['slug', 'date', 'author', 'sticky', 'parent', 'categories', 'tags'],
    ...detailNames.filter((name) => name !== 'emptiedFootnotes'),
    ...['regularPrice', 'salePrice', 'sku', 'stockStatus', 'featured', 'attributes', 'syncStatus'],
    ...['type', 'object', 'objectId', 'url', 'target', 'classes', 'xfn'],
  ],
  Media: ['slug', 'date', 'author', 'parent', 'status', 'commentStatus', 'pingStatus', 'post'],
  Comment: ['status', 'name', 'email', 'url', 'post', 'parent', 'author', 'date', 'resolution'],
  Term: ['name', 'slug', 'description', 'parent'],
  User: ['roles'],
  Site: [...settingNames, 'url', 'templates', 'menuLocations', 'email'],
};

const profile = ['displayName', 'email', 'url', 'description', 'firstName', 'lastName', 'nickname'];

/** The status that events give without naming it. */
const statuses: Readonly<Record<string, string>> = {
  EntryPublished: 'publish',
  EntryReleased: 'publish',
  EntryScheduled: 'future',
  EntryMadePrivate: 'private',
  EntrySubmitted: 'pending',
  EntrySentBackToDraft: 'draft',
  EntryTrashed: 'trash',
  EntryDeleted: 'deleted',
  MediaMadePrivate: 'private',
  MediaReleased: 'inherit',
  MediaDeleted: 'deleted',
  CommentApproved: 'approved',
  CommentHeld: 'hold',
  CommentMarkedAsSpam: 'spam',
  CommentTrashed: 'trash',
  CommentDeleted: 'deleted',
  TermDeleted: 'deleted',
  UserDisabled: 'disabled',
  UserEnabled: 'enabled',
  UserDeleted: 'deleted',
  UserErased: 'erased',
};

const stickiness: Readonly<Record<string, string>> = { EntryStuck: 'yes', EntryUnstuck: '' };

/** Texts that people write, as opposed to settings and statuses. */
const written = [...textNames, 'caption', 'description', 'altText', 'name', ...profile];

/** The names of all fields that can be asked for. */
export const fieldNames: readonly string[] = [
  ...new Set([...textNames, 'status', 'password', ...Object.values(members).flat(), ...written, ...taxonomies]),
].sort();

/** Whether a field is a text that people write. */
export function isWritten(name: string): boolean {
  return written.includes(name);
}

/** The name of a field as events have it, from `featured_media`, `featuredMedia` or `featured media`. */
export function fieldNamed(word: string): string | Refusal {
  const plain = (name: string) => name.replace(/[_\s-]/g, '').toLowerCase();
  const found = fieldNames.find((name) => plain(name) === plain(word));
  return (
    found ?? refuse('invalid_field', `There is no field "${word}". Fields are ${fieldNames.map(snake).join(', ')}.`)
  );
}

/** `featuredMedia` as `featured_media`. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The types of events that may set a field, by its name or by what holds for it. */
export function typesSetting(field: string | ((name: string) => boolean)): readonly string[] {
  const isAsked = typeof field === 'string' ? (name: string) => name === field : field;
  return coreEvents
    .filter(({ type, schema }) => !besideTypes.has(type) && settable(type, schema).some(isAsked))
    .map(({ type }) => type);
}

function settable(type: string, schema: { readonly shape: object }): readonly string[] {
  return [
    ...Object.keys(schema.shape),
    ...(statuses[type] === undefined ? [] : ['status']),
    ...(stickiness[type] === undefined ? [] : ['sticky']),
    ...(type === 'EntryTermsChanged' ? taxonomies : []),
  ];
}

/** The fields that an event sets, with their values as text. An autosave sets none, nor does an imported revision: they are kept beside the entry. */
export function fieldsIn({ type, data }: DomainEvent): SummaryTexts {
  if (besideTypes.has(type)) return {};
  const given = data as Readonly<Record<string, unknown>>;
  const area = /^[A-Z][a-z]*/.exec(type)?.[0] ?? '';
  const own: Record<string, string> = { ...summaryOf(type).texts?.(data) };
  for (const name of members[area] ?? []) {
    if (given[name] !== undefined && own[name] === undefined) own[name] = asText(given[name]);
  }
  if (given['dateGmt'] === null) own['date'] = '';
  if (area === 'Entry') Object.assign(own, ofEntry(type, given));
  const status = statuses[type];
  return status === undefined ? own : { ...own, status };
}

function ofEntry(type: string, { status, password, taxonomy, terms }: Readonly<Record<string, unknown>>): SummaryTexts {
  const sticky = stickiness[type];
  return {
    ...(type === 'EntryCreated' ? { status: String(status) } : {}),
    ...(sticky === undefined ? {} : { sticky }),
    ...(password === undefined ? {} : { password: password === '' ? '' : 'set' }),
    ...(taxonomy === undefined ? {} : { [String(taxonomy)]: asText(terms) }),
  };
}

function asText(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (Array.isArray(value)) return value.map(asText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What an event changed, field by field; with `only`, that field alone. */
export function fieldChanges(event: StoredEvent, log: History, only?: ReadonlySet<string>): readonly FieldChange[] {
  const set = Object.entries(fieldsIn(codec.decode(event))).filter(([name]) => only === undefined || only.has(name));
  const before = fieldsBefore(event, new Set(set.map(([name]) => name)), log);
  return set.flatMap(([name, value]) => {
    const { text = '', isGone = false } = before.get(name) ?? {};
    const change = { name, before: isGone ? null : text, after: isGoneIn(event, name) ? null : value };
    return isChange(change) ? [change] : [];
  });
}

// That a password was replaced shows in the event alone: both times it is set.
function isChange({ name, before, after }: FieldChange): boolean {
  return before !== after || (name === 'password' && after !== '');
}

export function isErased({ sealed, sealedDigest }: StoredEvent): boolean {
  return sealed === null && sealedDigest !== null;
}

function isGoneIn(event: StoredEvent, name: string): boolean {
  return isErased(event) && sealedIn.get(event.type)?.includes(name) === true;
}

const sealedIn: ReadonlyMap<string, readonly string[]> = new Map(allEvents.map(({ type, sealed }) => [type, sealed]));

interface FieldBefore {
  readonly text: string;
  /** It has been erased. */
  readonly isGone: boolean;
}

function fieldsBefore(
  { stream, revision }: StoredEvent,
  missing: Set<string>,
  log: History,
): ReadonlyMap<string, FieldBefore> {
  const found = new Map<string, FieldBefore>();
  if (missing.size === 0) return found;
  for (const event of settersBefore({ stream, revision }, missing, log)) {
    for (const [name, text] of Object.entries(fieldsIn(codec.decode(event)))) {
      if (missing.delete(name)) found.set(name, { text, isGone: isGoneIn(event, name) });
    }
    if (missing.size === 0) break;
  }
  return found;
}
