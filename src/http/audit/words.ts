import { entryKinds } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import { AuditNames } from '#projections/audit/names.ts';
import type { RecordSource } from '#projections/audit/record.ts';
import { type Html, html } from '#text/html.ts';
import type { AuditSource, AuditStore } from './store.ts';

const statuses: Readonly<Record<EntryStatus, string>> = {
  publish: 'published',
  future: 'scheduled',
  draft: 'draft',
  pending: 'waiting for review',
  private: 'private',
  trash: 'in the trash',
};

const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });

export function statusInWords(status: EntryStatus): string {
  return statuses[status];
}

/** What an entry is, such as `post`, `pattern` or `menu item`. */
export function kindInWords(kind: string): string {
  return entryKinds.find(({ name }) => name === kind)?.type.singular.toLowerCase() ?? kind;
}

/** The day of a time (ISO 8601 UTC) in a time zone: `2026-03-01`. */
export function dayOf(at: string, zone: string): string {
  return localOf(at, zone).slice(0, 10);
}

export function dayInWords(day: string): string {
  return longDay.format(Date.parse(`${day}T00:00:00Z`));
}

export function clockTime(at: string, zone: string): Html {
  return html`<time datetime="${at}" title="${at}">${localOf(at, zone).slice(11)}</time>`;
}

export function fullTime(at: string, zone: string): Html {
  return html`<time datetime="${at}" title="${at}">${fullTimeText(at, zone)}</time>`;
}

/** The same as plain text. */
export function fullTimeText(at: string, zone: string): string {
  return localOf(at, zone).replace('T', ' ');
}

function localOf(at: string, zone: string): string {
  return toLocal(gmtNow(Date.parse(at)), zone);
}

/** What rows of the audit are made from. */
export function recordSource({ store, origins }: AuditSource): RecordSource {
  const leaps = new Leaps(store.log, store.clock.tolerance);
  return { names: namesInTexts(store), leaps, originOf: origins?.originOf };
}

/** Names of items: the read model has those of what exists. */
export function namesInTexts({ log, reader }: AuditStore): AuditNames {
  return new AuditNames(log, (stream) => {
    const [, area, number] = /^(entry|media|term)-(\d{1,15})$/.exec(stream) ?? [];
    const id = Number(number);
    if (area === 'entry') return reader.entry(id);
    if (area === 'media') return reader.media(id);
    const term = area === 'term' ? reader.term(id) : undefined;
    return term && { title: term.name, taxonomy: term.taxonomy };
  });
}
