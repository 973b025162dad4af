import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { CHECKPOINTS, type KeptCheckpoint, readCheckpoints } from '#node/tree/checkpoints.ts';
import { type AgreeingWords, openingLines, opensTooMuch } from '#node/tree/opening.ts';
import {
  eventAt,
  eventsOfErasure,
  eventsOfState,
  eventsOfStatus,
  type Picked,
  versionPosition,
} from '#node/tree/proof-events.ts';
import { eventsOfReadable } from '#node/tree/proof-readable.ts';
import {
  lastBefore,
  type MadeProof,
  makeProof,
  nothingSigned,
  openStoredTree,
  pickedFor,
  proofSource,
} from '#node/tree/proving.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { positionOf } from '#projections/past/past.ts';
import { tlogProofsIn } from '#proofs/bundle.ts';
import { parseCheckpoint } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { type OpenArchive, openArchive } from './audit/archive.ts';
import type { Outcome } from './outcome.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';
import { counted } from './verify/check.ts';

const number = z.string().regex(/^[1-9]\d{0,14}$/, 'is not a number');
const id = number.describe('its id');
const writing = {
  out: localPath().optional().describe('file to write; default: one named after the question, in this folder'),
  yes: z.boolean().optional().describe('write it even if it opens more than was asked for, as proofs of old events do'),
  'open-password': z.boolean().optional().describe('let the file show a password'),
  files: z.boolean().optional().describe('also write each event as a file .tlog-proof, for other programs'),
};
const questions = {
  version: number.optional().describe('the texts of this version; 1 is what was created'),
  at: z
    .string()
    .min(1)
    .optional()
    .describe('as it was then: a position, or a date and time. Default: now; without --field, all versions until now'),
  field: z.string().min(1).optional().describe('only this field, such as title or status. Default: all texts'),
};
const period = {
  public: z.boolean().optional().describe('whether visitors could read it in a period'),
  texts: z
    .boolean()
    .optional()
    .describe('with --public: also the texts that they read, and who approved their release'),
  from: z.string().min(1).optional().describe('with --public: first day or moment, in the time zone of the site'),
  to: z.string().min(1).optional().describe('with --public: last day or moment'),
};

const proveEntry = defineLocalVerb({
  name: 'prove entry',
  summary: 'Writes a file that shows to somebody outside what was recorded of a post, page or product.',
  example: 'prove entry 12 --field title --at 2026-03-01T12:00:00',
  positionals: ['id'],
  args: z.object({ id, ...questions, ...period, ...writing }),
  here: (place, args) => prove(place, args, (asked) => itemEvents(`entry-${args.id}`, args, asked)),
});

const proveMedia = defineLocalVerb({
  name: 'prove media',
  summary: 'Writes a file that shows to somebody outside what was recorded of a media item.',
  example: 'prove media 15 --at 250',
  positionals: ['id'],
  args: z.object({ id, ...questions, ...writing }),
  here: (place, args) => prove(place, args, (asked) => itemEvents(`media-${args.id}`, args, asked)),
});

const proveComment = defineLocalVerb({
  name: 'prove comment',
  summary: 'Writes a file that shows to somebody outside what was recorded of a comment.',
  example: 'prove comment 5',
  positionals: ['id'],
  args: z.object({ id, ...questions, ...writing }),
  here: (place, args) => prove(place, args, (asked) => itemEvents(`comment-${args.id}`, args, asked)),
});

const proveEvent = defineLocalVerb({
  name: 'prove event',
  summary: 'Writes a file that shows to somebody outside that an event was recorded.',
  example: 'prove event 250',
  positionals: ['position'],
  args: z.object({
    position: number.describe('its position in the log'),
    open: z.boolean().optional().describe('show its sealed fields'),
    ...writing,
  }),
  here: (place, args) =>
    prove(place, args, ({ log, size }) => {
      const opening = { isOpen: args.open === true, password: args['open-password'] === true };
      const picked = eventAt(Number(args.position), opening, { log, size });
      return isRefusal(picked) ? picked : { name: `event-${args.position}`, picked };
    }),
});

const proveErasure = defineLocalVerb({
  name: 'prove erasure',
  summary: 'Writes a file that shows who ordered an erasure and when, and that the log was not changed by it.',
  example: 'prove erasure entry-12',
  positionals: ['stream'],
  args: z.object({
    stream: z.string().min(1).describe('what was erased, as "erase" names it: entry-12, user-3'),
    ...writing,
  }),
  here: (place, args) =>
    prove(place, args, ({ log, size, checkpoints }) => {
      const found = eventsOfErasure(args.stream, { log, size });
      if (isRefusal(found)) return found;
      const before = lastBefore(found.ordered, checkpoints);
      return { name: `erasure-${args.stream}`, picked: found.picked, before };
    }),
});

export const proveVerbs = [proveEntry, proveMedia, proveComment, proveEvent, proveErasure];

interface Asking {
  readonly log: ReturnType<typeof openLogReader>;
  readonly size: number;
  readonly archive: OpenArchive;
  readonly checkpoints: readonly KeptCheckpoint[];
}

interface Question {
  /** Of the file, without its extension. */
  readonly name: string;
  readonly picked: readonly Picked[];
  readonly before?: KeptCheckpoint | undefined;
}

type Writing = z.infer<z.ZodObject<typeof writing>>;

const words: AgreeingWords = {
  password: 'Say --open-password to write it.',
  also: 'Say --yes to write it.',
};

/** Reads the files directly, so it needs no server and does not disturb a running one. */
async function prove(
  { config: { dataDir } }: VerbPlace,
  { out, files = false, yes = false, 'open-password': password = false }: Writing,
  ask: (asking: Asking) => Question | Refusal,
): Promise<Outcome> {
  const archive = openArchive(dataDir);
  const stored = openStoredTree(dataDir);
  // The latest checkpoint is read first: the log has all that it covers.
  const checkpoints = readCheckpoints(join(dataDir, CHECKPOINTS));
  const log = openLogReader(join(dataDir, 'log.db'));
  try {
    const latest = checkpoints.at(-1);
    if (latest === undefined) return refused(nothingSigned);
    const source = proofSource(log, latest, [stored.tree, null]);
    if (isRefusal(source)) return refused(source);
    const question = ask({ log, size: source.size, archive, checkpoints });
    if (isRefusal(question)) return refused(question);
    const made = makeProof(question.picked, source, question.before);
    if (isRefusal(made)) return refused(made);
    const excess = opensTooMuch(made.opens, { also: yes, password }, words);
    if (excess !== null) return refused(excess);
    return write(made, { path: out ?? `${question.name}.proof.json`, files, size: source.size, question });
  } finally {
    log.close();
    stored.close();
    archive.close();
  }
}

interface Written {
  readonly path: string;
  readonly files: boolean;
  readonly size: number;
  readonly question: Question;
}

function write(made: MadeProof, { path, files, size, question }: Written): Outcome {
  const base = path.replace(/(?:\.proof)?\.json$/, '');
  const beside = files ? tlogProofsIn(Buffer.from(made.text)) : [];
  const all = [
    { name: path, text: made.text },
    ...beside.map(({ position, text }) => ({ name: `${base}-${position}.tlog-proof`, text })),
  ];
  for (const { name, text } of all) {
    try {
      writeFileSync(name, text, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return refused(refuse('file_exists', `${name} exists already.`));
    }
  }
  const { events, opened, erased, opens } = made;
  const before = question.before === undefined ? null : sizeOf(question.before.note);
  const value = { file: path, events, opened: opened.length, erased, size, before };
  const opening = { opens: Object.fromEntries(opens.asked), opens_also: Object.fromEntries(opens.also) };
  const text = [...openingLines(opens), ...sayWritten(value, question)].join('\n');
  return { kind: 'done', value: { ...value, ...opening }, text };
}

interface Said {
  readonly file: string;
  readonly events: number;
  readonly erased: readonly number[];
  readonly size: number;
  readonly before: number | null;
}

function sayWritten({ file, events, erased, size, before }: Said, { name }: Question): string[] {
  const lines = [
    `${file}: ${counted(events, events === 1 ? 'event' : 'events')},`,
    `  for the checkpoint that covers the log up to position ${size}`,
  ];
  if (erased.length > 0)
    lines.push(`The texts of positions ${erased.join(', ')} have been erased: only the rows are shown.`);
  if (before !== null)
    lines.push(`It also shows that the log continues the checkpoint up to position ${before}, from before the order.`);
  else if (name.startsWith('erasure-'))
    lines.push('There is no checkpoint from before the order: it does not show that the log was not changed.');
  const policy = 'npm run -s cli -- witness policy > policy.txt';
  return [
    ...lines,
    'Check it with:',
    `  ${policy}`,
    `  npm run cli -- verify-proof ${shellWord(file)} --policy policy.txt`,
  ];
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type ItemArgs = {
  readonly [Name in 'version' | 'at' | 'field' | 'from' | 'to']?: string | undefined;
} & { readonly [Name in 'public' | 'texts' | 'open-password']?: boolean | undefined };

function itemEvents(stream: string, args: ItemArgs, asking: Asking): Question | Refusal {
  const { version, at, field, from, to, public: isPublic = false } = args;
  if ([version, field, isPublic || undefined].filter((one) => one !== undefined).length > 1)
    throw new UsageError('--version, --field and --public exclude each other');
  if (at !== undefined && (version !== undefined || isPublic))
    throw new UsageError('--at goes with --field or with nothing else');
  if (!isPublic && (from !== undefined || to !== undefined)) throw new UsageError('--from and --to go with --public');
  if (args.texts === true && !isPublic) throw new UsageError('--texts goes with --public');
  const { archive } = asking;
  const password = args['open-password'] === true;
  if (isPublic) {
    const positions = positionsOf({ from, to }, archive);
    if (isRefusal(positions)) return positions;
    const events = args.texts === true ? eventsOfReadable : eventsOfStatus;
    return named(`${stream}-public`, events({ stream, ...positions }, asking));
  }
  if (version !== undefined) {
    const position = versionPosition(stream, Number(version), asking);
    return isRefusal(position)
      ? position
      : named(`${stream}-version-${version}`, eventsOfState({ stream, position, password }, asking));
  }
  const then = at === undefined ? archive.log.head() : positionOf(at, { log: archive.log, zone: archive.zone });
  if (isRefusal(then)) return refuse('invalid_time', then.message.replace('as_of', '--at'));
  const { position } = then;
  const name = [stream, field, at?.replaceAll(/[^\w-]/g, '')].filter((part) => part !== undefined).join('-');
  const question = { stream, position, field: field ?? null, isHistory: at === undefined, password };
  return named(name, pickedFor(question, asking));
}

function named(name: string, picked: readonly Picked[] | Refusal): Question | Refusal {
  return isRefusal(picked) ? picked : { name, picked };
}

function refused({ code, message }: Refusal): Outcome {
  return { kind: 'refused', code, message };
}

function sizeOf(note: string): number {
  return parseCheckpoint(parseNote(note).text).size;
}
