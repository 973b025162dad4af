import { WriteStream } from 'node:tty';
import { z } from 'zod';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { readLoginCounts } from '#node/login-counts.ts';
import { readReadings } from '#node/readings.ts';
import { auditQuery, type FilterName, filterMeanings, filterNames } from '#projections/audit/filter.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import { entryMeant } from '#projections/audit/meant.ts';
import { AuditNames } from '#projections/audit/names.ts';
import { type AuditQuery, search } from '#projections/audit/search.ts';
import { type OpenArchive, openArchive } from './audit/archive.ts';
import { type AnswerForm, blameLines, loginLines, publicLines } from './audit/questions.ts';
import { csvForm, jsonForm, printerTo, type RecordForm, Timeline } from './audit/timeline.ts';
import type { Outcome } from './outcome.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';

/** Default number of listed events for people; programs get all. */
const usual = 100;
/** Characters of a changed text that are shown to people. */
const longestShown = 160;
const number = z.string().regex(/^\d{1,15}$/, 'is not a number');

const args = z.object({
  ...filterArgs(),
  before: number.optional().describe('only events before this position'),
  limit: number
    .refine((text) => Number(text) > 0, 'must be at least 1')
    .optional()
    .describe(`most events that are shown; default: ${usual}, with --csv and --json all`),
  oldest: z.boolean().optional().describe('list the oldest first'),
  fields: z.boolean().optional().describe('also show each changed field, before and after; implied by --field'),
  blame: z
    .boolean()
    .optional()
    .describe('who wrote each sentence of --entry, when; with --field of another text, with --to as it stood then'),
  public: z.boolean().optional().describe('what was public at any time in the period, since when, until when, and why'),
  logins: z
    .boolean()
    .optional()
    .describe('how often people logged in, and in vain, by day and account; and what auditors read'),
  diff: z.boolean().optional().describe('also show the changes in the texts'),
  csv: z.boolean().optional().describe('print a table as CSV, with times in UTC'),
});
type Args = z.infer<typeof args>;

function filterArgs() {
  const arg = (name: FilterName) => z.string().min(1).optional().describe(filterMeanings[name]);
  return Object.fromEntries(filterNames.map((name) => [name, arg(name)])) as Record<FilterName, ReturnType<typeof arg>>;
}

/** Reports who did what, when and to what. Reads the files directly, so it needs no server and does not disturb a running one. */
export const audit = defineLocalVerb({
  name: 'audit',
  summary: 'Lists who did what and when, the newest first; with --json one line per event.',
  example: 'audit --user ada --type EntryPublished,EntryTrashed --from 2026-03-01',
  args,
  here: async (place, given) => {
    if (given.entry !== undefined && given.stream !== undefined)
      throw new UsageError('--entry and --stream exclude each other');
    checkQuestions(given);
    if (given.csv === true && given.diff === true) throw new UsageError('--csv has no room for --diff; take --json');
    if (given.csv === true && place.json) throw new UsageError('--csv and --json exclude each other');
    const archive = openArchive(place.config.dataDir);
    try {
      if ([given.blame, given.public, given.logins].includes(true)) return await answer(given, archive, place);
      const query = queryOf(given, archive);
      return isRefusal(query) ? refused(query) : await print({ query, given, archive, place });
    } finally {
      archive.close();
    }
  },
});

function checkQuestions({ blame, public: asksPublic, logins, entry, diff }: Args): void {
  if ([blame, asksPublic, logins].filter((one) => one === true).length > 1)
    throw new UsageError('--blame, --public and --logins exclude each other');
  if (blame === true && entry === undefined) throw new UsageError('--blame needs --entry');
  if ([blame, asksPublic, logins].includes(true) && diff === true)
    throw new UsageError('--diff goes with none of --blame, --public and --logins');
}

async function answer(given: Args, archive: OpenArchive, place: VerbPlace): Promise<Outcome> {
  const { field, from, to } = given;
  const entry = given.entry === undefined ? undefined : entryMeant(given.entry, archive.entries);
  if (isRefusal(entry)) return refused(entry);
  const form: AnswerForm = place.json ? 'json' : given.csv === true ? 'csv' : 'people';
  const asked = { entry, field, from, to, form };
  const lines =
    given.logins === true
      ? loginLines(asked, { archive, ...notedIn(place.config.dataDir) })
      : given.blame === true
        ? await blameLines(asked, archive)
        : publicLines(asked, archive);
  if (isRefusal(lines)) return refused(lines);
  const { print: put } = printerTo(place.output, place.signal);
  let shown = 0;
  for await (const line of lines) {
    shown += 1;
    if (!(await put(line))) break;
  }
  if (shown === 0 && form === 'people') await put('nothing\n');
  return printed(shown);
}

function notedIn(dataDir: string) {
  return { counts: readLoginCounts(dataDir), readings: readReadings(dataDir) };
}

interface Job {
  readonly query: AuditQuery;
  readonly given: Args;
  readonly archive: OpenArchive;
  readonly place: VerbPlace;
}

async function print({ query, given, archive, place }: Job): Promise<Outcome> {
  const { print: put, yieldToEvents } = printerTo(place.output, place.signal);
  const isForPeople = !place.json && given.csv !== true;
  const form = formOf({ query, given, archive, place });
  const limit = Number(given.limit ?? (isForPeople ? usual : Number.POSITIVE_INFINITY));
  let shown = 0;
  let last = 0;
  await put(form.head);
  for (const event of search(query, archive)) {
    await yieldToEvents();
    if (event === null) continue;
    if (shown === limit) {
      await put(form.end() + (isForPeople ? `\n${more(given, last)}\n` : ''));
      return printed(shown);
    }
    shown += 1;
    last = event.position;
    if (!(await put(form.take(event)))) return printed(shown);
  }
  await put(shown === 0 && isForPeople ? 'nothing\n' : form.end());
  return printed(shown);
}

function formOf({ query, given, archive, place }: Job): RecordForm {
  const names = new AuditNames(archive.log);
  const diff = given.diff === true ? archive.log : null;
  const leaps = new Leaps(archive.log, place.config.clockTolerance);
  const source = { names, leaps, originOf: archive.origins.originOf };
  const isWithFields = given.fields === true || query.field !== undefined;
  const longest = place.json || given.csv === true ? Number.POSITIVE_INFINITY : longestShown;
  const shown = isWithFields ? { log: archive.log, longest, field: query.field } : null;
  if (place.json) return jsonForm(source, { diff, shown });
  if (given.csv === true) return csvForm(source, shown);
  return new Timeline({ ...source, zone: archive.zone, colours: hasColours(place.output), diff, shown });
}

function queryOf(given: Args, archive: OpenArchive): AuditQuery | Refusal {
  const { zone, origins, entries } = archive;
  const query = auditQuery(given, { archive, zone, origins, entries });
  if (isRefusal(query)) return query;
  return {
    ...query,
    high: Math.min(query.high ?? Number.POSITIVE_INFINITY, Number(given.before ?? Number.POSITIVE_INFINITY) - 1),
    direction: given.oldest === true ? 'forwards' : 'backwards',
  };
}

function printed(shown: number): Outcome {
  return { kind: 'done', value: { shown }, text: '' };
}

function refused({ code, message }: Refusal): Outcome {
  return { kind: 'refused', code, message };
}

function more({ oldest }: Args, last: number): string {
  return oldest === true
    ? 'There is more: raise --limit.'
    : `There is more: raise --limit, or go on with --before ${last}.`;
}

function hasColours(output: NodeJS.WritableStream): boolean {
  return output instanceof WriteStream && output.hasColors();
}
