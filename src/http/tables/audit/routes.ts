import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { AuditorRead, LoginCount } from '#domain/user/logins.ts';
import { may } from '#domain/user/roles.ts';
import { blameOf } from '#projections/audit/blame.ts';
import { fieldNamed, isWritten } from '#projections/audit/fields.ts';
import { type AuditFilter, filterMeanings, filterNames } from '#projections/audit/filter.ts';
import { AuditNames, itemStream } from '#projections/audit/names.ts';
import { timelinePage } from '#projections/audit/pages.ts';
import { csvHead, csvLines } from '#projections/audit/record.ts';
import { blameTable, loginTable, publicTable } from '#projections/audit/tables.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { publicIn } from '../../audit/between.ts';
import { queryOfFilters } from '../../audit/filters.ts';
import type { AuditSource } from '../../audit/store.ts';
import { recordSource } from '../../audit/words.ts';
import type { Answer, Args, Call, QueryEndpoint, Route } from '../../engine/types.ts';
import { queryText } from '../records/listing.ts';
import * as answers from './answers.ts';

const path = `/${CONTENT}/audit`;
const csv = 'text/csv; charset=UTF-8; header=present';
/** Characters of a changed text in a list; the event itself shows all. */
const longest = 2000;

const position = z.int().min(1);
const beforeArg = (what: string) => ({ schema: position.describe(`Only ${what}; the next page begins there.`) });
const perPage = { schema: z.int().min(1).max(1000).default(50).describe('Maximum number of items to be returned.') };

const filterArgs: Args<Model> = Object.fromEntries(
  filterNames.map((name) => [name, { schema: z.string().describe(`${filterMeanings[name]}.`) }]),
);

const formatArgs: Args<Model> = {
  format: { schema: z.enum(['json', 'csv']).default('json').describe('`csv`: a table, with times in UTC.') },
};

const listArgs: Args<Model> = {
  ...filterArgs,
  before: beforeArg('events before this position'),
  per_page: perPage,
};

const blameArgs: Args<Model> = {
  entry: { schema: position.describe('Number of a post, page or media item.') },
  field: { schema: z.string().default('content').describe('Which of its texts.') },
  position: { schema: position.describe('As the text stood at this position. Default: now.') },
};

const publicArgs: Args<Model> = {
  from: { schema: z.string().describe(`${filterMeanings.from}.`) },
  to: { schema: z.string().describe(`${filterMeanings.to}.`) },
  entry: { schema: position.describe('Only this one.') },
  before: beforeArg('entries with a lower number'),
  per_page: perPage,
};

const NOT_FOUND = refuse('rest_audit_not_found', 'There is no such event or text.');

/** The audit, for administrators and auditors: an addition to the reference system. */
export function auditRoutes(source: AuditSource): readonly Route<Model, Session>[] {
  const route = (pattern: string, endpoint: Omit<QueryEndpoint<Model>, 'methods' | 'permission' | 'depends'>) => ({
    namespace: CONTENT,
    pattern,
    endpoints: [
      {
        methods: ['GET'] as const,
        permission: mayAudit,
        depends: null,
        types: ['application/json', 'text/csv'],
        ...endpoint,
        args: { ...endpoint.args, ...formatArgs },
      },
    ],
  });
  return [
    route(path, {
      summary: 'List who did what and when, the newest first',
      args: listArgs,
      answers: z.array(answers.event),
      listed: true,
      query: (call) => list(call, source),
    }),
    route(`${path}/blame/(?P<entry>[\\d]+)`, {
      summary: 'Show who wrote each sentence of a text, and when',
      args: blameArgs,
      answers: answers.blamedText,
      query: (call) => showBlame(call, source),
    }),
    route(`${path}/public`, {
      summary: 'List what was public at any time in a period, and why',
      args: publicArgs,
      answers: z.array(answers.publicEntry),
      query: (call) => listPublic(call, source),
    }),
    route(`${path}/logins`, {
      summary: 'Count log-ins by day and account',
      args: {},
      answers: answers.loginCounts,
      query: (call) => listDaily(call, source, loginRows(source.store)),
    }),
    route(`${path}/readings`, {
      summary: 'List what auditors read, by day',
      args: {},
      answers: answers.readByAuditors,
      query: (call) => listDaily(call, source, readingRows(source.store)),
    }),
    route(`${path}/(?P<position>[\\d]+)`, {
      summary: 'Show an event as it is stored, and what it changed',
      args: { position: { schema: position } },
      answers: answers.wholeEvent,
      query: (call) => showEvent(call, source),
    }),
  ];
}

interface DailyRows<T> {
  readonly all: readonly T[];
  readonly line: (row: T, names: AuditNames) => string;
  readonly value: (all: readonly T[], names: AuditNames) => unknown;
}

function loginRows({ logins }: AuditSource['store']): DailyRows<LoginCount> {
  return { all: logins.all(), line: loginTable.ofCount, value: answers.loginsJson };
}

function readingRows({ readings }: AuditSource['store']): DailyRows<AuditorRead> {
  return { all: readings.all(), line: loginTable.ofReading, value: answers.readingsJson };
}

function listDaily<T>(call: Call<Model>, source: AuditSource, { all, line, value }: DailyRows<T>): Answer {
  const { names } = recordSource(source);
  if (isCsv(call)) {
    const lines = all.map((row) => line(row, names));
    return csvOf(loginTable.head, lines);
  }
  return { body: { kind: 'json', value: value(all, names) } };
}

function mayAudit({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'manage_options') ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
}

async function list(call: Call<Model>, source: AuditSource): Promise<Answer | Refusal> {
  const { params, model } = call;
  const { store } = source;
  const filter: AuditFilter = Object.fromEntries(
    filterNames.map((name) => [name, call.sent(name) === undefined ? '' : String(params[name])]),
  );
  const query = queryOfFilters(filter, source);
  if (isRefusal(query)) return query;
  const size = Number(params['per_page']);
  const before = params['before'] === undefined ? undefined : Number(params['before']);
  const page = await timelinePage(query, { before }, { archive: store, pause: turn, size });
  const headers = linkTo(page.older, call);
  const shown = { log: store.log, longest, field: query.field };
  const from = recordSource(source);
  if (isCsv(call)) {
    const lines = await inTurns(page.events, (event) => csvLines(event, from, shown));
    return { ...csvOf(csvHead(true), lines), headers };
  }
  const zone = model.site().timezone;
  const value = await inTurns(page.events, (event) => answers.eventJson(event, { ...from, shown, zone }));
  return { body: { kind: 'json', value }, headers };
}

function isCsv({ params }: Call<Model>): boolean {
  return params['format'] === 'csv';
}

function csvOf(head: string, lines: readonly string[]): Answer {
  return { body: { kind: 'text', type: csv, text: head + lines.join('') } };
}

/** Milliseconds of work between two turns of others. */
const share = 5;

async function inTurns<T, U>(items: readonly T[], make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  let until = performance.now() + share;
  for (const item of items) {
    made.push(make(item));
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + share;
  }
  return made;
}

function showEvent(call: Call<Model>, source: AuditSource): Answer | Refusal {
  const { log } = source.store;
  const [event] = log.read({ from: Number(call.params['position']), limit: 1 });
  if (event === undefined) return NOT_FOUND;
  const shown = { log, longest: Number.POSITIVE_INFINITY };
  const zone = call.model.site().timezone;
  if (isCsv(call)) return csvOf(csvHead(true), [csvLines(event, recordSource(source), shown)]);
  const value = answers.rawJson(event, { ...recordSource(source), shown, zone });
  return { body: { kind: 'json', value } };
}

async function showBlame(call: Call<Model>, { store }: AuditSource): Promise<Answer | Refusal> {
  const { params } = call;
  const { log } = store;
  const field = fieldNamed(String(params['field']));
  if (isRefusal(field)) return field;
  if (!isWritten(field)) return refuse('invalid_field', `"${field}" is not a text.`);
  const stream = itemStream(Number(params['entry']), log);
  const at = params['position'] === undefined ? log.head().position : Number(params['position']);
  const found = await blameOf({ stream, field, position: at }, { log, pause: turn });
  if (found === null) return NOT_FOUND;
  const names = new AuditNames(log);
  if (isCsv(call)) return csvOf(blameTable.head, blameTable.lines(found, names));
  return { body: { kind: 'json', value: answers.blameJson(found, names) } };
}

async function listPublic(call: Call<Model>, source: AuditSource): Promise<Answer | Refusal> {
  const { params } = call;
  const text = (name: string) => (call.sent(name) === undefined ? undefined : String(params[name]));
  const number = (name: string) => (params[name] === undefined ? undefined : Number(params[name]));
  const asked = { from: text('from'), to: text('to'), entry: number('entry'), before: number('before') };
  const found = await publicIn({ ...asked, limit: Number(params['per_page']) }, source, turn);
  if (isRefusal(found)) return found;
  const names = recordSource(source).names;
  const headers = linkTo(found.next, call);
  if (isCsv(call)) {
    const lines = found.entries.map((entry) => publicTable.lines(entry, names));
    return { ...csvOf(publicTable.head, lines), headers };
  }
  const value = found.entries.map((entry) => answers.publicJson(entry, names));
  return { body: { kind: 'json', value }, headers };
}

function linkTo(before: number | null, { model, path: requested, query, params }: Call<Model>): Record<string, string> {
  if (before === null) return {};
  const url = namespaceUrl(model.site(), CONTENT) + requested.slice(requested.indexOf('/audit'));
  const { before: _, ...kept } = query;
  return { Link: `<${url}?${queryText({ query: kept, params })}before=${before}>; rel="next"` };
}
