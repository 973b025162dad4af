import type { OriginOf } from '#domain/kernel/origin.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { csvLine } from '#text/csv.ts';
import { auditAccount } from './account.ts';
import { inWords } from './event-summary.ts';
import { type FieldChange, fieldChanges } from './fields.ts';
import type { History } from './history.ts';
import type { Leaps } from './leaps.ts';
import type { AuditNames } from './names.ts';

export interface RecordSource {
  readonly names: AuditNames;
  readonly leaps: Leaps;
  readonly originOf: OriginOf | undefined;
}

/** Of what is changed: the log to read values before from, and how much of a text is shown. */
export interface FieldsShown {
  readonly log: History;
  readonly longest: number;
  /** Only this field. */
  readonly field?: string | undefined;
}

/** An event as one row of a table. */
export function auditRow(event: StoredEvent, { names, leaps, originOf }: RecordSource) {
  const account = auditAccount(event, names, leaps);
  const { position, at, actor, who, type, what, thing, revision, commit, correlationId, erased, ahead } = account;
  const from = originOf?.({ position: account.end, correlationId }) ?? null;
  const { stream, kind, id, title } = thing;
  return {
    position,
    at,
    actor,
    who,
    type,
    what,
    stream,
    kind,
    id,
    title,
    revision,
    commit,
    correlationId,
    from,
    erased,
    ahead,
  };
}

const columns = [
  ...['position', 'time', 'user id', 'user', 'event', 'what', 'stream', 'kind', 'id', 'title', 'revision'],
  ...['commit', 'correlation id', 'from', 'erased', 'seconds ahead'],
];

/** The first line of a table as CSV (RFC 4180); with the columns of changed fields, or without them. */
export function csvHead(isWithFields: boolean): string {
  return csvLine([...columns, ...(isWithFields ? ['fields', 'before', 'after'] : [])]);
}

/** The lines of an event: one, or with `shown` one for each field that it changed. */
export function csvLines(event: StoredEvent, source: RecordSource, shown: FieldsShown | null): string {
  const own = Object.values(auditRow(event, source));
  if (shown === null) return csvLine(own);
  const changes = changesShown(event, shown);
  if (changes.length === 0) return csvLine([...own, '', '', '']);
  return changes
    .map(({ name, before, after }) => csvLine([...own, name, before ?? 'erased', after ?? 'erased']))
    .join('');
}

/** The fields that an event changed, long texts cut. */
export function changesShown(event: StoredEvent, { log, longest, field }: FieldsShown): readonly ShownChange[] {
  const only = field === undefined ? undefined : new Set([field]);
  return fieldChanges(event, log, only).map((change) => cutChange(change, longest));
}

export interface ShownChange extends FieldChange {
  /** The texts are longer than what is shown of them. */
  readonly isCut: boolean;
}

/** Shows both texts from shortly before the place where they begin to differ. */
function cutChange({ name, before, after }: FieldChange, longest: number): ShownChange {
  if ((before ?? '').length <= longest && (after ?? '').length <= longest) return { name, before, after, isCut: false };
  const from = Math.max(0, commonStart(before ?? '', after ?? '') - Math.floor(longest / 4));
  const cut = (text: string | null) => {
    if (text === null) return null;
    const piece = text.slice(from, from + longest).toWellFormed();
    return `${from > 0 && text !== '' ? '…' : ''}${piece}${from + longest < text.length ? '…' : ''}`;
  };
  return { name, before: cut(before), after: cut(after), isCut: true };
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** `title: “First” → “Second”`. */
export function changeInWords({ name, before, after }: FieldChange, names: AuditNames): string {
  const value = (text: string | null) => (text === null ? '(erased)' : valueInWords(name, text, names));
  return `${inWords(name)}: ${value(before)} → ${value(after)}`;
}

function valueInWords(name: string, text: string, names: AuditNames): string {
  if (text === '') return '(none)';
  if (name === 'author') return names.login(Number(text));
  if (name === 'categories' || name === 'tags') {
    return text
      .split(', ')
      .map((id) => names.title(`term-${id}`))
      .join(', ');
  }
  return `“${text.replace(/\s+/g, ' ').trim()}”`;
}
