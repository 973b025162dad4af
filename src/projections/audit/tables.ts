import type { AuditorRead, LoginCount } from '#domain/user/logins.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { csvLine } from '#text/csv.ts';
import { auditAccount } from './account.ts';
import type { EntryBlame } from './blame.ts';
import { isErased } from './fields.ts';
import type { History } from './history.ts';
import type { AuditNames } from './names.ts';
import type { PublicEdge, PublicEntry } from './public.ts';
import { textsAfter } from './texts.ts';

/** Answers of the audit as CSV (RFC 4180), the same in pages, interface and command. Times are in UTC. */

/** What was public: a line for each time, or one without times for an entry that was asked for and was not. */
export const publicTable = {
  head: csvLine([
    ...['id', 'kind', 'title', 'from', 'from position', 'from user id', 'from user', 'from reason'],
    ...['until', 'until position', 'until user id', 'until user', 'until reason'],
  ]),
  lines({ id, spans }: PublicEntry, names: AuditNames): string {
    const { kind, title } = names.thing(`entry-${id}`);
    const edge = (one: PublicEdge | null) =>
      one === null ? ['', '', '', '', ''] : [one.at, one.position, one.actor, names.login(one.actor), one.reason];
    if (spans.length === 0) return csvLine([id, kind, title, ...edge(null), ...edge(null)]);
    return spans.map(({ from, to }) => csvLine([id, kind, title, ...edge(from), ...edge(to)])).join('');
  },
};

/** Log-ins, attempts and what auditors read: a line for each day, account and kind. */
export const loginTable = {
  head: csvLine(['day', 'user id', 'user', 'what', 'times', 'route', 'address', 'last time']),
  ofCount({ day, user, succeeded, failed }: LoginCount, names: AuditNames): string {
    const who = user === 0 ? 'no account of that name' : names.login(user);
    const line = (what: string, times: number) =>
      times === 0 ? '' : csvLine([day, user, who, what, times, '', '', '']);
    return line('logged in', succeeded) + line('in vain', failed);
  },
  ofReading({ day, user, route, item, at, times }: AuditorRead, names: AuditNames): string {
    return csvLine([day, user, names.login(user), 'read', times, route, item, new Date(at).toISOString()]);
  },
};

/** Who wrote each sentence of a text. */
export const blameTable = {
  head: csvLine(['sentence', 'paragraph', 'text', 'position', 'time', 'user id', 'user']),
  lines({ sentences }: EntryBlame, names: AuditNames): readonly string[] {
    return sentences.map(({ text, paragraph, by: { position, at, actor } }, i) =>
      csvLine([i + 1, paragraph, text, position, at, actor, names.login(actor)]),
    );
  },
};

/** Versions of an item: a line for each text of each. */
export const versionsTable = {
  head: csvLine(['position', 'revision', 'time', 'user id', 'user', 'what', 'field', 'text']),
  lines(event: StoredEvent, names: AuditNames, log: History): string {
    const { position, revision, at, actor, who, what } = auditAccount(event, names);
    const own = [position, revision, at, actor, who, what];
    if (isErased(event)) return csvLine([...own, '', 'erased']);
    return Object.entries(textsAfter(event, log) ?? {})
      .filter(([, text]) => text !== '')
      .map(([name, text]) => csvLine([...own, name, text]))
      .join('');
  },
};
