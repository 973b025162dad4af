import { z } from 'zod';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { AuditorRead, LoginCount } from '#domain/user/logins.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import type { EntryBlame } from '#projections/audit/blame.ts';
import { summaryOf } from '#projections/audit/event-summaries.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { snake } from '#projections/audit/fields.ts';
import { type AuditNames, plainText } from '#projections/audit/names.ts';
import type { PublicEdge, PublicEntry } from '#projections/audit/public.ts';
import { rawEvent } from '#projections/audit/raw.ts';
import { auditRow, changesShown, type FieldsShown, type RecordSource } from '#projections/audit/record.ts';
import { textsBefore } from '#projections/audit/texts.ts';
import { count, instant } from '../plugins/kit/answers.ts';

const user = z
  .object({ id: count.nullable().describe('0: somebody not logged in; null: the system itself.'), name: z.string() })
  .describe('Who did it.');

const change = z.object({
  name: z.string(),
  label: z.string(),
  before: z.string().nullable().describe('Null: it has been erased.'),
  after: z.string().nullable(),
  is_cut: z.boolean().describe('The texts are longer than what is shown of them.'),
});

const subject = z.object({
  stream: z.string(),
  kind: z.string(),
  id: z.int().nullable(),
  title: z.string().describe('As it is now.'),
  title_then: z.string().describe('As it was after the event.'),
});

const shape = {
  position: z.int().min(1),
  time: instant,
  date: z.string().describe('The same in the time zone of the site.'),
  user,
  type: z.string(),
  label: z.string().describe('The type in words.'),
  summary: z.string().describe('What was done, in words.'),
  subject,
  revision: z.int().min(1).describe('Number of the event in the history of its subject.'),
  fields: z.array(change),
  correlation_id: z.string(),
  origin: z.string().nullable().describe('Client address, as long as it is kept.'),
  erased: z.boolean(),
};

export const event = z.object(shape);

export const wholeEvent = z.object({
  ...shape,
  raw: z
    .object({
      id: z.string(),
      position: z.int().min(1),
      stream: z.string(),
      revision: z.int().min(1),
      type: z.string(),
      version: z.int().min(1),
      at: instant,
      actor: count.nullable(),
      data: z.unknown(),
      sealed: z.unknown().describe('Null: nothing is sealed, or it has been erased. Secrets are left out.'),
      sealed_digest: z.string().nullable(),
      commit: z.object({ id: z.string(), index: count, events: z.int().min(1) }),
      correlation_id: z.string(),
      causation_id: z.string().nullable(),
      hash: z.string().nullable().describe('Chain hash of the commit, on its last event.'),
    })
    .describe('As it is stored.'),
});

export const blamedText = z.object({
  versions: count,
  erased: z.boolean().describe('Versions were erased, so that the first writer of what is left is unknown.'),
  sentences: z.array(
    z.object({ text: z.string(), paragraph: z.int().min(1), position: z.int().min(1), time: instant, user }),
  ),
});

const edge = z.object({ position: z.int().min(1), time: instant, reason: z.string(), user });

export const publicEntry = z.object({
  id: z.int().min(1),
  kind: z.string(),
  title: z.string(),
  spans: z
    .array(z.object({ from: edge, to: edge.nullable().describe('Null: it still was at the end of the period.') }))
    .describe('None, for an entry that was asked for: it was not public, or only behind a password.'),
});

export const loginCounts = z.array(
  z.object({
    day: z.string().describe('UTC.'),
    user: user.describe('0: there was no account of that name.'),
    succeeded: count,
    failed: count,
  }),
);

export function loginsJson(counts: readonly LoginCount[], names: AuditNames): z.infer<typeof loginCounts> {
  return counts.map(({ day, user: id, succeeded, failed }) => ({
    day,
    user: { id, name: id === 0 ? '' : names.login(id) },
    succeeded,
    failed,
  }));
}

export const readByAuditors = z.array(
  z.object({
    day: z.string().describe('UTC.'),
    user,
    route: z.string().describe('As the index names it; `audit` for the audit pages, `file` for a private file.'),
    item: z.string().describe('Path of the address.'),
    last: instant.describe('The last time on that day.'),
    times: count.describe('How often on that day.'),
  }),
);

export function readingsJson(all: readonly AuditorRead[], names: AuditNames): z.infer<typeof readByAuditors> {
  return all.map(({ user: id, at, ...reading }) => ({
    ...reading,
    user: { id, name: names.login(id) },
    last: new Date(at).toISOString(),
  }));
}

export interface EventShowing extends RecordSource {
  readonly shown: FieldsShown;
  readonly zone: string;
}

export function eventJson(stored: StoredEvent, showing: EventShowing) {
  const { shown, zone } = showing;
  const row = auditRow(stored, showing);
  const { stream, kind, id, title } = row;
  return {
    position: row.position,
    time: row.at,
    date: toLocal(gmtNow(Date.parse(row.at)), zone),
    user: { id: row.actor, name: row.who },
    type: row.type,
    label: summaryOf(row.type).label,
    summary: row.what,
    subject: { stream, kind, id, title, title_then: titleThen(stored, shown.log) ?? title },
    revision: row.revision,
    fields: changesShown(stored, shown).map(({ name, before, after, isCut }) => ({
      name: snake(name),
      label: inWords(name),
      before,
      after,
      is_cut: isCut,
    })),
    correlation_id: row.correlationId,
    origin: row.from,
    erased: row.erased,
  };
}

function titleThen({ stream, revision }: StoredEvent, log: FieldsShown['log']): string | undefined {
  if (!/^(?:entry|media|term)-/.test(stream)) return undefined;
  const name = stream.startsWith('term-') ? 'name' : 'title';
  const title = textsBefore(stream, revision + 1, [name], log)[name];
  return title === undefined ? undefined : plainText(title);
}

export function rawJson(stored: StoredEvent, showing: EventShowing) {
  return { ...eventJson(stored, showing), raw: rawEvent(stored) };
}

export function blameJson({ sentences, versions, erased }: EntryBlame, names: AuditNames): z.infer<typeof blamedText> {
  return {
    versions,
    erased,
    sentences: sentences.map(({ text, paragraph, by: { position, at, actor } }) => ({
      text,
      paragraph,
      position,
      time: at,
      user: { id: actor, name: names.login(actor) },
    })),
  };
}

export function publicJson({ id, spans }: PublicEntry, names: AuditNames): z.infer<typeof publicEntry> {
  const shown = ({ position, at, actor, reason }: PublicEdge) => ({
    position,
    time: at,
    reason,
    user: { id: actor, name: names.login(actor) },
  });
  const { kind, title } = names.thing(`entry-${id}`);
  return {
    id,
    kind,
    title,
    spans: spans.map(({ from, to }) => ({ from: shown(from), to: to && shown(to) })),
  };
}
