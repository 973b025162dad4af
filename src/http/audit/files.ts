import type { ContactMessage } from '#domain/contact/area.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { blameOf } from '#projections/audit/blame.ts';
import { fieldNamed, isWritten } from '#projections/audit/fields.ts';
import { entryMeant } from '#projections/audit/meant.ts';
import { timelinePage } from '#projections/audit/pages.ts';
import { csvHead, csvLines } from '#projections/audit/record.ts';
import { blameTable, loginTable, publicTable, versionsTable } from '#projections/audit/tables.ts';
import { isVersion, textNamesOf } from '#projections/audit/texts.ts';
import { messagesIn } from '#site/contact.ts';
import { csvLine } from '#text/csv.ts';
import { type Html, html } from '#text/html.ts';
import { publicIn } from './between.ts';
import { cursorIn, filtersIn, lookUpIn, numberGiven, queryOfFilters } from './filters.ts';
import { type AuditProofFile, proofFile } from './proof.ts';
import { queryOf, type Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { namesInTexts, recordSource } from './words.ts';

/** A page of the audit as a table (CSV). */
export interface AuditTable {
  readonly lines: readonly string[];
  /** Where the rest of a very long one begins; absent: nowhere. */
  readonly next?: number | null;
}

type Made = AuditTable | AuditProofFile | Sheet | Refusal | null;

interface AuditFile {
  /** Path below the root. */
  readonly pattern: RegExp;
  readonly make: (call: AuditCall) => Made | Promise<Made>;
}

/** Rows of a table, and characters of a text in the timeline. */
const mostRows = 10_000;
const longestCell = 2000;

const files: readonly AuditFile[] = [
  { pattern: /^timeline\.csv$/, make: timelineTable },
  { pattern: /^messages\.csv$/, make: messagesTable },
  { pattern: /^public\.csv$/, make: publicSpansTable },
  { pattern: /^logins\.csv$/, make: loginsTable },
  { pattern: /^things\/[^/]+\/blame\.csv$/, make: sentencesCsv },
  { pattern: /^things\/[^/]+\/versions\.csv$/, make: versionsCsv },
  { pattern: /^things\/[^/]+\/proof$/, make: proofFile },
  { pattern: /^log\/[1-9]\d{0,14}\/proof$/, make: proofFile },
];

/** What an address of a file yields; undefined if it is none of a file. */
export function auditFileAt(path: string, call: AuditCall): Made | Promise<Made> | undefined {
  return files.find(({ pattern }) => pattern.test(path))?.make(call);
}

export function tableLink(address: string, query: Parameters<typeof queryOf>[0] = {}): Html {
  return html`<a href="${address}${queryOf(query)}" download>As a table (CSV)</a>`;
}

/** The timeline with the filters in force. */
async function timelineTable(call: AuditCall): Promise<AuditTable | Refusal> {
  const { store, query, pause } = call;
  const wanted = queryOfFilters(filtersIn(query), call);
  if (isRefusal(wanted)) return wanted;
  const page = await timelinePage(wanted, cursorIn(query), { archive: store, pause, size: mostRows });
  const source = recordSource(call);
  const fields = { log: store.log, longest: longestCell, field: wanted.field };
  const lines: string[] = [csvHead(true)];
  for (const [i, event] of page.events.entries()) {
    if (i % 100 === 99) await pause();
    lines.push(csvLines(event, source, fields));
  }
  return { lines, next: page.older };
}

async function publicSpansTable(call: AuditCall): Promise<AuditTable | Refusal> {
  const { store, query, pause } = call;
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const entry = given('entry');
  const id = entry === undefined ? undefined : entryMeant(entry, lookUpIn(store.reader));
  if (isRefusal(id)) return id;
  const asked = { from: given('from'), to: given('to'), entry: id, before: cursorIn(query).before };
  const found = await publicIn({ ...asked, limit: mostRows }, call, pause);
  if (isRefusal(found)) return found;
  const names = namesInTexts(store);
  return { lines: [publicTable.head, ...found.entries.map((one) => publicTable.lines(one, names))], next: found.next };
}

function loginsTable({ store }: AuditCall): AuditTable {
  const names = namesInTexts(store);
  const logins = store.logins.all().map((one) => loginTable.ofCount(one, names));
  return {
    lines: [loginTable.head, ...logins, ...store.readings.all().map((one) => loginTable.ofReading(one, names))],
  };
}

async function sentencesCsv({ store, path, query, pause }: AuditCall): Promise<AuditTable | Refusal | null> {
  const [, stream = ''] = path;
  const { log } = store;
  const field = fieldNamed(query.get('field') || 'content');
  if (isRefusal(field)) return field;
  // As on the page: of a field that is no text, nobody wrote sentences.
  if (!textNamesOf(stream, log).filter(isWritten).includes(field)) return null;
  const position = numberGiven(query, 'position') ?? log.head().position;
  const found = await blameOf({ stream, field, position }, { log, pause });
  return found && { lines: [blameTable.head, ...blameTable.lines(found, namesInTexts(store))] };
}

async function versionsCsv({ store, path, pause }: AuditCall): Promise<AuditTable | null> {
  const [, stream = ''] = path;
  const { log } = store;
  const names = namesInTexts(store);
  const lines: string[] = [];
  for (const event of log.read({ stream, direction: 'backwards' })) {
    if (isVersion(event)) lines.push(versionsTable.lines(event, names, log));
    await pause();
  }
  return lines.length === 0 ? null : { lines: [versionsTable.head, ...lines] };
}

function messagesTable({ store: { reader } }: AuditCall): AuditTable {
  const columns = ['id', 'date', 'form', 'name', 'email', 'subject', 'message', 'ip', 'agent'];
  const line = ({ id, at, form, name, email, subject, message, ip, agent }: ContactMessage) =>
    csvLine([id, at, form, name, email, subject, message, ip, agent]);
  return { lines: [csvLine(columns), ...messagesIn(reader).map(line)] };
}
