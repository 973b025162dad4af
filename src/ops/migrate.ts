import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import type { SiteSource } from '#wxr/records.ts';
import { followTask } from './follow.ts';
import { type ActOptions, planMove, runMove, verifyMove } from './migrate/acts.ts';
import { carrying } from './migrate/carrying.ts';
import { migrationControls } from './migrate/controls.ts';
import { type SourceArgs, sourceArgs } from './migrate/opening.ts';
import type { Outcome } from './outcome.ts';
import { Stopped } from './progress.ts';
import { undoControls } from './undo.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';

const html = localPath().optional().describe('file that the report is written into as a page');
const carryingArgs = {
  as: z.string().min(1).optional().describe('login of the account whose act it is. Default: the server'),
  sizes: z.enum(['make', 'none']).optional().describe('whether smaller sizes of images are made (default) or not'),
  overwrite: z.boolean().optional().describe('what was changed here since it was imported becomes what the source has'),
  gone: z
    .enum(['keep', 'trash'])
    .optional()
    .describe('whether posts and pages that are gone at the source stay here (default) or are moved to the trash'),
  settings: z
    .boolean()
    .optional()
    .describe('name, zone and front page become those of the source, also on a site that is in use'),
};

const plan = defineLocalVerb({
  name: 'migrate plan',
  summary: 'Says what an import of another site would bring, and what not. Writes nothing.',
  example: 'migrate plan https://old.example --user ada --html plan.html',
  positionals: ['source'],
  args: z.object({ ...sourceArgs, html }),
  here: async (place, { html: file, ...args }) =>
    carrying(place, named(args), (carried) => planMove(carried, { html: file })),
});

const run = defineLocalVerb({
  name: 'migrate run',
  summary: 'Imports another site, or what has changed there since; the server may run. Can be stopped and run again.',
  example: 'migrate run https://old.example --user ada --as ada',
  positionals: ['source'],
  writes: true,
  args: z.object({ ...sourceArgs, ...carryingArgs, html }),
  here: async (place, args) => carrying(place, named(args), (carried) => runMove(carried, optionsOf(args))),
});

const verify = defineLocalVerb({
  name: 'migrate verify',
  summary: 'Compares the site with the one that was imported: each item, each field, each file. The report is signed.',
  example: 'migrate verify https://old.example --user ada --html proof.html',
  positionals: ['source'],
  args: z.object({ ...sourceArgs, html }),
  here: async (place, { html: file, ...args }) =>
    carrying(place, named(args), (carried) => verifyMove(carried, { html: file })),
});

const undo = defineLocalVerb({
  name: 'migrate undo',
  summary: 'Takes back all that was imported from a source, as one act; what was changed since stays.',
  example: 'migrate undo old.example --yes --as ada',
  positionals: ['source'],
  writes: true,
  args: z.object({
    source: z.string().min(1).describe('the source as it was named, or the host of its site'),
    run: z
      .string()
      .regex(/^[1-9]\d{0,6}$/, 'is not the number of a migration')
      .optional()
      .describe('only this migration'),
    yes: z.boolean().optional().describe('carry it out; without this, only list what would be done'),
    as: z.string().min(1).optional().describe('with --yes: login of the account whose act it is'),
  }),
  here: async (place, { source, run: number, yes, as }) => {
    if (yes === true && as === undefined) throw new UsageError('--as is missing: it names the account whose act it is');
    const asked = {
      source: source.replace(/(?<!\/)\/+$/, ''),
      name: basename(source),
      ...(number === undefined ? {} : { run: Number(number) }),
    };
    return followTask(place, 'migration commits', asked, {
      controls: [...migrationControls, ...undoControls],
      untilDone: async (begun, ask) => {
        const found = migrated.parse(begun);
        const commits = found.flatMap(({ positions }) => positions.map(String));
        if (commits.length === 0) {
          return {
            kind: 'refused',
            code: 'nothing_imported',
            message: `nothing that was imported from ${source} is here: it never was, or was taken back`,
          };
        }
        const given = { commits, skip: true, ...(yes && { yes }), ...(as && { as }) };
        const outcome = (await ask('undo commits', given)) ?? gone;
        if (outcome.kind === 'refused' && outcome.code === 'rest_nothing_to_undo') {
          const message = `Nothing of it can be taken back: what came from ${source} was changed here since, and stays, or was taken back before.`;
          return { ...outcome, message };
        }
        return outcome.kind === 'done' ? undone(place, outcome.value, commits.length, yes === true) : outcome;
      },
    });
  },
});

export const migrateVerbs = [plan, run, verify, undo];

/** Imports what changes at a source, again and again, until it is stopped. */
export const followVerb = defineLocalVerb({
  name: 'follow',
  summary: 'Imports what changes at another site while people still work there, until it is stopped.',
  example: 'follow https://old.example --user ada --as ada --every 60',
  positionals: ['source'],
  writes: true,
  args: z.object({
    ...sourceArgs,
    ...carryingArgs,
    every: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'is not a number of seconds')
      .optional()
      .describe('seconds between two looks. Default: 60'),
  }),
  here: async (place, { every = '60', ...args }) => {
    for (;;) {
      let changed: SiteSource['changed'];
      const outcome = await carrying(place, named(args), (carried) => {
        changed = carried.source.changed;
        return runMove(carried, optionsOf({ ...args, html: undefined }));
      });
      if (outcome.kind === 'usage' || outcome.kind === 'refused') return outcome;
      if (outcome.kind !== 'done') process.stderr.write(`${'message' in outcome ? outcome.message : outcome.kind}\n`);
      else if (hasNews(outcome.value)) process.stderr.write(`${newsOf(outcome.value)}\n`);
      await untilNext(Number(every), { changed, signal: place.signal });
    }
  },
});

/** Seconds in which changes are gathered. */
const gathering = 2;

/** Waits for the next change at a source that tells of them, or for its time. Throws `Stopped`. */
async function untilNext(
  seconds: number,
  { changed, signal }: { readonly changed: SiteSource['changed']; readonly signal: AbortSignal },
): Promise<void> {
  const wait = (time: number) => sleep(time * 1000, undefined, { signal });
  try {
    // Whoever does not answer now is asked again at its time.
    if (changed !== undefined) await changed(seconds).catch(() => wait(seconds));
    await wait(changed === undefined ? seconds : gathering);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Stopped('stopped');
  }
}

const migrated = z.array(
  z.object({ run: z.number(), at: z.string(), positions: z.array(z.number()), items: z.number() }),
);
const undoneSchema = z.object({ lines: z.array(z.string()) });
const told = z.looseObject({
  at: z.string(),
  summary: z.array(z.string()),
  remarks: z.array(z.looseObject({ key: z.string(), message: z.string() })),
});
const counted = z.looseObject({ counts: z.record(z.string(), z.record(z.string(), z.number())) });
/** Lines of an undo that are shown without --json. */
const shownLines = 40;
const gone: Outcome = {
  kind: 'unavailable',
  message: 'the server went away before it answered; look whether it was undone',
};

function named<A extends SourceArgs>(args: A): A {
  if (args.source.length === 0)
    throw new UsageError('<source> is missing: an address, a folder, or the files of an export');
  return args;
}

type Carried = { [N in keyof typeof carryingArgs]?: z.infer<(typeof carryingArgs)[N]> } & { html?: string | undefined };

function optionsOf({
  as,
  sizes = 'make',
  overwrite = false,
  settings = false,
  gone: left,
  html: file,
}: Carried): ActOptions {
  return { as, sizes: sizes === 'make', overwrites: overwrite, settings, trashesGone: left === 'trash', html: file };
}

function undone({ json }: VerbPlace, value: unknown, commits: number, isDone: boolean): Outcome {
  // The last line is about commits.
  const lines = undoneSchema.parse(value).lines.slice(0, -1);
  const acts = lines.filter((line) => !line.startsWith(' '));
  const kept = lines.filter((line) => /^(?:leaves |\s*stays: )/.test(line) && !line.includes('UserAdded'));
  const last = isDone
    ? `Undone: ${commits} commits, as one. Accounts that were made stay, without a password.`
    : `This would undo ${commits} commits; accounts stay, without a password. Say --yes --as LOGIN to do it.`;
  const text = [
    ...countedActs(acts),
    ...(kept.length === 0 ? [] : ['stays, because it was changed here since or is needed:', ...shortened(kept)]),
    ...(isDone ? [] : ['', ...shortened(acts)]),
    last,
  ];
  return { kind: 'done', value: { commits, isDone, lines }, ...(json ? {} : { text: text.join('\n') }) };
}

/** How many of what are deleted, changed and brought back: `deletes 304 posts`. */
function countedActs(acts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of acts) {
    const [, act = '', kind = ''] = /^(deletes|changes|brings back) ([a-z ]+?)(?: \d| “|$)/.exec(line) ?? [];
    if (act !== '') counts.set(`${act} ${kind}`, (counts.get(`${act} ${kind}`) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${what}: ${count.toLocaleString('en')}`);
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - shownLines;
  return [
    ...lines.slice(0, shownLines).map((line) => `  ${line.trim()}`),
    ...(more > 0 ? [`  … and ${more} more: --json has all`] : []),
  ];
}

/** One line for each look that found something, and what could not be imported. */
function newsOf(value: unknown): string {
  const { at, summary, remarks } = told.parse(value);
  const [line = ''] = summary;
  return [
    `${at.slice(0, 19).replace('T', ' ')} ${line}`,
    ...remarks.map(({ key, message }) => `  ${key}: ${message}`),
  ].join('\n');
}

function hasNews(value: unknown): boolean {
  const { counts } = counted.parse(value);
  return Object.values(counts).some(
    ({ made = 0, changed = 0, refused = 0, kept = 0 }) => made + changed + refused + kept > 0,
  );
}
