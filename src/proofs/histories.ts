import type { ProvedEvent } from './bundle.ts';
import type { Members } from './opened.ts';

/** What proved events say of posts, media items and comments: `docs/proofs.md` has the rules as a table. */

export interface StreamHistory {
  readonly stream: string;
  /** Without a gap, in order. */
  readonly events: readonly ProvedEvent[];
  /** By name; only those of which something is shown. */
  readonly fields: ReadonlyMap<string, readonly FieldSpan[]>;
}

/** A value that a field had from one event to the next that set it. */
export interface FieldSpan {
  /** Undefined: not shown, because the event that set it is not opened. */
  readonly value: unknown;
  readonly from: ProvedEvent;
  /** The event that may have set something else; null: nothing is shown about what came later. */
  readonly until: ProvedEvent | null;
  /** The last event of the stream that left the value as it is. */
  readonly last: ProvedEvent;
}

interface Area {
  /** Fields in sealed texts. */
  readonly sealed: readonly string[];
  /** The types of events that set them; of a field that is not here: those of `texts`. */
  readonly setters: Readonly<Record<string, readonly string[]>> & { readonly texts: readonly string[] };
  /** The status that a type of event stands for; null: the one in its data. */
  readonly statuses: Readonly<Record<string, string | null>>;
}

const areas: Readonly<Record<string, Area>> = {
  entry: {
    sealed: ['title', 'content', 'excerpt', 'footnotes', 'password'],
    setters: {
      texts: ['EntryCreated', 'EntryRevised', 'EntryReverted'],
      password: ['EntryCreated', 'EntryPasswordChanged'],
    },
    statuses: {
      EntryCreated: null,
      EntryPublished: 'publish',
      EntryReleased: 'publish',
      EntryScheduled: 'future',
      EntryMadePrivate: 'private',
      EntrySubmitted: 'pending',
      EntrySentBackToDraft: 'draft',
      EntryTrashed: 'trash',
      EntryDeleted: 'deleted',
    },
  },
  media: {
    sealed: ['title', 'caption', 'description', 'altText'],
    setters: { texts: ['MediaUploaded', 'MediaDescribed'] },
    statuses: {},
  },
  comment: {
    sealed: ['content'],
    setters: { texts: ['CommentWritten', 'CommentEdited'] },
    statuses: {
      CommentWritten: null,
      CommentRestored: null,
      CommentApproved: 'approved',
      CommentHeld: 'hold',
      CommentMarkedAsSpam: 'spam',
      CommentTrashed: 'trash',
      CommentDeleted: 'deleted',
    },
  },
};

const STATUS = 'status';
/** Not one of the texts of an entry. */
export const PASSWORD = 'password';
const OPEN = ['date', 'dateGmt', 'slug'];
/** Its dates are its own, not those of the entry. */
const AUTOSAVE = 'EntryAutosaved';

/** Fields of which a proof of a stream can be made. */
export function fieldsOf(stream: string): readonly string[] {
  const area = areaOf(stream);
  if (area === undefined) return [];
  return [...area.sealed, ...(Object.keys(area.statuses).length > 0 ? [STATUS] : []), ...OPEN];
}

/** The texts among them. */
export function provableTexts(stream: string): readonly string[] {
  return areaOf(stream)?.sealed.filter((field) => field !== PASSWORD) ?? [];
}

/** Whether an event may set a field: one of sealed text may, unless it is shown that the text does not name it. */
export function maySet(field: string, event: Pick<ProvedEvent, 'stream' | 'type' | 'data' | 'names'>): boolean {
  const area = areaOf(event.stream);
  if (area === undefined) return false;
  if (area.sealed.includes(field)) {
    const types = area.setters[field] ?? area.setters.texts;
    return types.includes(event.type) && (event.names?.includes(field) ?? true);
  }
  if (field === STATUS) return Object.hasOwn(area.statuses, event.type);
  return event.type !== AUTOSAVE && Object.hasOwn(event.data, field);
}

export function isInSealedText(field: string, stream: string): boolean {
  return areaOf(stream)?.sealed.includes(field) ?? false;
}

/** Whether the sealed text of an event may set a text of its item. */
export function setsTexts({ stream, type }: Pick<ProvedEvent, 'stream' | 'type'>): boolean {
  return areaOf(stream)?.setters.texts.includes(type) ?? false;
}

/** The histories of all streams that have events. */
export function historiesIn(events: readonly ProvedEvent[]): StreamHistory[] {
  const streams = Map.groupBy(events, ({ stream }) => stream);
  const lost = events.filter(({ type, data }) => type === 'UserDeleted' && data['heir'] === 0);
  return [...streams].map(([stream, own]) => {
    const fields = fieldsOf(stream).flatMap((field): [string, readonly FieldSpan[]][] => {
      const spans = spansOf(field, stream.startsWith('entry-') && isLosable(field) ? inOrder(own, lost) : own);
      return spans.every(({ value }) => value === undefined) ? [] : [[field, spans]];
    });
    return { stream, events: own, fields: new Map(fields) };
  });
}

/** The account of an author that is deleted without an heir takes its entries to the trash, without an event of theirs. */
function isLosable(field: string): boolean {
  return field === STATUS || field === 'slug';
}

function inOrder(own: readonly ProvedEvent[], lost: readonly ProvedEvent[]): readonly ProvedEvent[] {
  return [...own, ...lost].sort((a, b) => a.position - b.position);
}

function spansOf(field: string, events: readonly ProvedEvent[]): FieldSpan[] {
  const spans: FieldSpan[] = [];
  for (const event of events) {
    const open = spans.at(-1);
    const isLoss = event.type === 'UserDeleted';
    if (isLoss ? open !== undefined : maySet(field, event)) {
      if (open !== undefined) spans[spans.length - 1] = { ...open, until: event };
      spans.push({ value: isLoss ? undefined : valueSetBy(field, event), from: event, until: null, last: event });
    } else if (open !== undefined) {
      spans[spans.length - 1] = { ...open, last: event };
    }
  }
  return spans;
}

/** The value that an event gives a field that it may set; undefined: not shown. */
export function valueSetBy(
  field: string,
  { stream, type, data, opened }: Pick<ProvedEvent, 'stream' | 'type' | 'data' | 'opened'>,
): unknown {
  const area = areaOf(stream);
  if (area?.sealed.includes(field)) return opened?.[field];
  const stated = field === STATUS ? area?.statuses[type] : null;
  return stated ?? (data as Members)[field];
}

function areaOf(stream: string): Area | undefined {
  const [, area = ''] = /^(entry|media|comment)-\d+$/.exec(stream) ?? [];
  return areas[area];
}
