import { setImmediate as turn } from 'node:timers/promises';
import { codec } from '#catalogue/events.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { AuditorRead, LoginCount } from '#domain/user/logins.ts';
import { blameOf } from '#projections/audit/blame.ts';
import { fieldNamed, isWritten } from '#projections/audit/fields.ts';
import { AuditNames, itemStream } from '#projections/audit/names.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { type PublicEdge, type PublicSource, publicBetween } from '#projections/audit/public.ts';
import { search } from '#projections/audit/search.ts';
import { blameTable, loginTable, publicTable } from '#projections/audit/tables.ts';
import { cell } from '../output.ts';
import type { OpenArchive } from './archive.ts';

export interface AuditQuestion {
  readonly entry?: number | undefined;
  readonly field?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly form: AnswerForm;
}

/** For people, or for programs: JSON or CSV. */
export type AnswerForm = 'people' | 'json' | 'csv';

/** Pieces of an answer, a line each. */
export type AuditLines = AsyncGenerator<string>;

/** Who wrote each sentence of a text, as it stood at `to`. */
export async function blameLines(asked: AuditQuestion, archive: OpenArchive): Promise<AuditLines | Refusal> {
  const { log, zone } = archive;
  const field = fieldNamed(asked.field ?? 'content');
  if (isRefusal(field)) return field;
  if (!isWritten(field)) return refuse('invalid_field', `"${field}" is not a text.`);
  const until = positionsOf({ to: asked.to }, { log, zone });
  if (isRefusal(until)) return until;
  const stream = itemStream(asked.entry ?? 0, log);
  const found = await blameOf({ stream, field, position: until.high }, { log, pause: turn });
  if (found === null) return refuse('not_found', `there was no ${field} of ${asked.entry}`);
  const names = new AuditNames(log);
  return (async function* () {
    if (asked.form === 'csv') return yield* [blameTable.head, ...blameTable.lines(found, names)];
    if (found.erased && asked.form === 'people')
      yield '(versions have been erased: the rest counts for the first that remains)\n';
    for (const { text, paragraph, by } of found.sentences) {
      const { position, at, actor } = by;
      yield asked.form === 'json'
        ? `${JSON.stringify({ text, paragraph, position, at, actor, who: names.login(actor) })}\n`
        : `${localOf(at, zone)}  ${cell(names.login(actor))}  #${position}  ${cell(text)}\n`;
    }
  })();
}

/** Entries that are read at once. */
const atOnce = 200;

/** What was public at any time in a period, and why. */
export function publicLines(asked: AuditQuestion, archive: OpenArchive): AuditLines | Refusal {
  const { log, zone, publications } = archive;
  const stretch = positionsOf(asked, { log, zone });
  if (isRefusal(stretch)) return stretch;
  const { entry, form } = asked;
  const users = deletedUsers(archive);
  const source = { archive, publications, deletedUsers: () => users, pause: turn };
  const names = new AuditNames(log);
  const edge = ({ position, at, reason, actor }: PublicEdge) => ({ position, at, reason, who: names.login(actor) });
  const told = (one: PublicEdge) =>
    `${localOf(one.at, zone)} (${one.reason}, by ${cell(names.login(one.actor))}, #${one.position})`;
  return (async function* () {
    if (form === 'csv') yield publicTable.head;
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const query = { low: stretch.low - 1, high: stretch.high, before, limit: atOnce, entry };
      const page = await publicBetween(query, source);
      for (const found of page.entries) {
        const { id, spans } = found;
        const { kind, title } = names.thing(`entry-${id}`);
        const shown = spans.map(({ from, to }) => ({ from: edge(from), to: to && edge(to) }));
        if (form === 'csv') yield publicTable.lines(found, names);
        else if (form === 'json') yield `${JSON.stringify({ id, kind, title, spans: shown })}\n`;
        else {
          const lines = spans.map(
            ({ from, to }) => `          from ${told(from)}${to === null ? '' : ` to ${told(to)}`}\n`,
          );
          const none = '          not public, or only behind a password\n';
          yield `${kind} ${id}  ${cell(title)}\n${lines.length === 0 ? none : lines.join('')}`;
        }
      }
      before = page.next;
    }
  })();
}

interface LoginsSource {
  readonly archive: OpenArchive;
  readonly counts: readonly LoginCount[];
  readonly readings: readonly AuditorRead[];
}

/** Log-ins by day and account, and then what auditors read, the newest first. */
export async function* loginLines({ form }: AuditQuestion, { archive, counts, readings }: LoginsSource): AuditLines {
  const names = new AuditNames(archive.log);
  if (form === 'csv') {
    yield loginTable.head;
    for (const count of counts) yield loginTable.ofCount(count, names);
    for (const reading of readings) yield loginTable.ofReading(reading, names);
    return;
  }
  for (const { day, user, succeeded, failed } of counts) {
    const who = user === 0 ? 'no account of that name' : names.login(user);
    yield form === 'json'
      ? `${JSON.stringify({ day, user, who, succeeded, failed })}\n`
      : `${day}  ${cell(who)}  ${succeeded} times, ${failed} in vain\n`;
  }
  for (const { day, user, route, item, at, times } of readings) {
    const [who, last] = [names.login(user), new Date(at).toISOString()];
    yield form === 'json'
      ? `${JSON.stringify({ day, user, who, route, item, last, times })}\n`
      : `${localOf(last, archive.zone)}  ${cell(who)}  read ${cell(item)}${times === 1 ? '' : `, ${times} times that day`}\n`;
  }
}

function deletedUsers(archive: OpenArchive): ReturnType<PublicSource['deletedUsers']> {
  return [...search({ types: ['UserDeleted'], direction: 'forwards' }, archive)].flatMap((stored) =>
    stored === null ? [] : { position: stored.position, event: codec.decode(stored) as UserDeletedEvent },
  );
}

function localOf(at: string, zone: string): string {
  return toLocal(gmtNow(Date.parse(at)), zone).replace('T', ' ');
}
