import { lockDirectory } from '#eventstore/lock.ts';
import { LogInUse } from '#eventstore/port.ts';
import { thisOperator } from '../operator.ts';
import type { Outcome } from '../outcome.ts';
import { type Carrying, makingOf, placesBefore, placesWith, readingForm } from './carrying.ts';
import { isKnownTaxonomy, isKnownType } from './catalogue.ts';
import { SourceFiles } from './files.ts';
import {
  countInWords,
  countOfAll,
  cutOff,
  cutOffLine,
  durationInWords,
  megabytesInWords,
  movedDifferently,
  reportOutcome,
} from './found.ts';
import { type ImportCounts, Importer, type ImportRemark } from './importer.ts';
import { waitingFolder } from './opening.ts';
import { itemKey, type SourcePlaces } from './places.ts';
import { isCounted, MigrationRun } from './run.ts';
import { goneDigest, migrationSchema, type Series } from './target.ts';
import { Comparison } from './verify.ts';

export interface ActOptions {
  readonly as: string | undefined;
  readonly sizes: boolean;
  readonly overwrites: boolean;
  readonly settings: boolean;
  /** Whether what is gone at the source is moved to the trash. */
  readonly trashesGone: boolean;
  /** File for the report as a page; undefined: none. */
  readonly html: string | undefined;
}

/** Items and files that are imported in a second by a machine with two cores, for estimates. */
const itemsPerSecond = 250;
const filesPerSecond = 8;

/** Says what an import would bring, and writes nothing. */
export async function planMove(carried: Carrying, { html }: Pick<ActOptions, 'html'>): Promise<Outcome> {
  const { catalogue, target } = carried;
  const { places } = await placesBefore(carried);
  const counts = plannedCounts(carried, places);
  const files = counts['attachment']?.['comes'] ?? 0;
  const size = await sizeOf(carried, files);
  const items = [...catalogue.counts.values()].reduce((sum, count) => sum + count, 0);
  const seconds = items / itemsPerSecond + files / filesPerSecond;
  const unread = countOfAll(counts, 'unread');
  const changes = movedDifferently(carried, places);
  const summary = [
    `${countInWords(countOfAll(counts, 'comes'))} things come, with ${countInWords(files)} ${files === 1 ? 'file' : 'files'}${size === 0 ? '' : ` of about ${megabytesInWords(size)}`}; it takes about ${durationInWords(seconds)}.`,
    ...(unread === 0
      ? []
      : [
          `Of kinds that this store does not have: ${countInWords(unread)}. They are kept as they are, and an export gives them back.`,
        ]),
    ...(changes.length === 0
      ? []
      : [
          `Another id, slug or account: ${countInWords(changes.length)}, because what they had is taken here. Texts that refer to them are changed accordingly.`,
        ]),
    ...(target.runs.length === 0 ? [] : ['Something was imported from there before: only what has changed comes.']),
    'Nothing was written.',
  ];
  return reportOutcome(carried, html, { what: 'plan', isGood: true, counts, summary, remarks: [], changes });
}

/** Imports what has changed since the last time. One import at a time: two would take each other for somebody who writes here. */
export async function runMove(carried: Carrying, options: ActOptions): Promise<Outcome> {
  let unlock: () => void;
  try {
    unlock = lockDirectory(waitingFolder(carried.place.config));
  } catch (error) {
    if (!(error instanceof LogInUse)) throw error;
    const message = 'Another import into this site is running: wait until it has ended.';
    return { kind: 'refused', code: 'migration_running', message };
  }
  try {
    return await importAll(carried, options);
  } finally {
    unlock();
  }
}

async function importAll(carried: Carrying, options: ActOptions): Promise<Outcome> {
  const { source, catalogue, target, ask } = carried;
  const began = performance.now();
  const { run, places } = await begun(carried, options);
  await knownFiles(carried, places);
  const making = makingOf(places, carried);
  const files = filesOf(carried);
  const { as, overwrites, sizes: resizes } = options;
  const importer = new Importer({ run, as, overwrites, resizes, ask, making });
  const takesSettings = options.settings || target.isEmpty;
  const form = readingForm(carried);
  const migration = new MigrationRun({ source, form, catalogue, target, making, importer, files, takesSettings });
  try {
    await migration.groundwork();
    const { counts } = catalogue;
    const media = counts.get('attachment') ?? 0;
    await during(carried, { name: 'importing files', total: media, unit: 'files' }, (task) => migration.media(task));
    const all = [...counts].reduce((sum, [kind, count]) => sum + (isCounted(kind) ? count : 0), 0);
    await during(carried, { name: 'importing contents', total: all, unit: 'items' }, (task) =>
      migration.contents(task),
    );
  } finally {
    await importer.end();
    await files.close();
  }
  const gone = await goneAtSource(carried, { run, as, trashes: options.trashesGone });
  const seconds = (performance.now() - began) / 1000;
  const { counts, remarks } = importer;
  const failed = countOfAll(counts, 'refused');
  const summary = [
    ...cutOffLine(catalogue),
    `${countInWords(countOfAll(counts, 'made'))} new, ${countInWords(countOfAll(counts, 'changed'))} changed, ${countInWords(countOfAll(counts, 'same') + countOfAll(counts, 'matched'))} as they were; ${countInWords(failed)} not imported, ${countInWords(countOfAll(counts, 'unread'))} carried along unread. Files: ${megabytesInWords(files.bytes)}. It took ${durationInWords(seconds)}.`,
    `This was migration ${run}: undo it with "migrate undo ${catalogue.origin}", compare it with "migrate verify ${source.name}".`,
  ];
  return reportOutcome(carried, options.html, {
    what: 'import',
    isGood: remarks.length === 0 && cutOff(catalogue) === null,
    counts,
    summary,
    remarks,
    changes: [...movedDifferently(carried, places), ...gone],
  });
}

/** Posts and pages that were imported and that the source no longer has. */
async function goneAtSource(
  { source, catalogue, target, authorization, ask }: Carrying,
  { run, as, trashes }: { readonly run: number; readonly as: string | undefined; readonly trashes: boolean },
): Promise<ImportRemark[]> {
  // Only somebody who sees everything can tell: an export may be a part, and a draft is not shown to everybody.
  if (source.form !== 'site' || authorization === null) return [];
  const gone = target.known.filter(
    ({ key, area, digest }) =>
      area === 'entry' &&
      digest !== '' &&
      digest !== goneDigest &&
      !catalogue.items.has(Number(key.slice('item '.length))),
  );
  if (trashes && gone.length > 0) {
    const items = gone.map(({ key, id }) => ({ key, area: 'entry', id, digest: goneDigest }));
    await ask('migration trash', { run, ...(as === undefined ? {} : { as }), items });
  }
  const message = trashes
    ? 'It is gone at the source, and in the trash here.'
    : 'It is gone at the source, and stays here: --gone trash moves it to the trash.';
  return gone.map(({ key }) => ({ key, code: 'gone', message }));
}

/** Compares what is here with the source. */
export async function verifyMove(carried: Carrying, { html }: Pick<ActOptions, 'html'>): Promise<Outcome> {
  const { source, catalogue, target, ask } = carried;
  const last = target.runs.at(-1);
  if (last === undefined) {
    const message = `nothing was imported from ${catalogue.origin}: "migrate run" does it`;
    return { kind: 'refused', code: 'nothing_imported', message };
  }
  const places = await placesWith(carried, null);
  await knownFiles(carried, places);
  const files = filesOf(carried);
  const making = makingOf(places, carried);
  const comparison = new Comparison({ source, catalogue, target, making, files, ask });
  const { total, unit } = source;
  await during(carried, { name: 'comparing', total, unit }, (task) => comparison.all(task));
  const { counts, remarks, renamed } = comparison;
  const [equal, differs, unread] = [
    countOfAll(counts, 'equal') + countOfAll(counts, 'matched'),
    countOfAll(counts, 'differs'),
    countOfAll(counts, 'unread'),
  ];
  const days = [...new Set(target.runs.map(({ at }) => at.slice(0, 10)))].join(', ');
  const summary = [
    ...cutOffLine(catalogue),
    `Moved on ${days}: ${countInWords(equal)} items equal, ${countInWords(differs)} ${differs === 1 ? 'difference' : 'differences'}, ${countInWords(unread)} carried along unread.`,
    `Each was compared field by field, ${countInWords(counts['attachment']?.['equal'] ?? 0)} files byte by byte (${megabytesInWords(files.bytes)}), and every word of each text with what readers see.`,
  ];
  const isGood = differs === 0 && cutOff(catalogue) === null;
  const found = {
    what: 'comparison',
    isGood,
    counts,
    summary,
    remarks,
    changes: [...movedDifferently(carried, places), ...renamed],
  } as const;
  return reportOutcome(carried, html, found, { run: last.run, equal, differs, unread });
}

async function during<T>(
  { place }: Carrying,
  task: Parameters<Carrying['place']['progress']>[0],
  work: (shown: ReturnType<Carrying['place']['progress']>) => Promise<T>,
): Promise<T> {
  const shown = place.progress(task);
  try {
    return await work(shown);
  } finally {
    shown.end();
  }
}

/** Goes on with the last migration of the source where that has the ids which are needed, so that each try does not write into the log. */
async function begun(
  carried: Carrying,
  { as }: ActOptions,
): Promise<{ readonly run: number; readonly places: SourcePlaces }> {
  const { source, catalogue, target, ask } = carried;
  const { highest, origin } = catalogue;
  const { extra } = await placesBefore(carried);
  const last = target.runs.at(-1);
  const form = readingForm(carried);
  const all = Object.keys(highest) as Series[];
  const isCovered = all.every((of) => extra[of] === 0 && target.runs.some(({ ids }) => ids[of].to > highest[of]));
  if (last !== undefined && last.form === form && isCovered)
    return { run: last.run, places: await placesWith(carried, null) };
  const by = as ?? thisOperator('migrate run', undefined).user;
  const about = { source: source.name, origin, form, by, ...(as === undefined ? {} : { as }) };
  const { run, ids } = migrationSchema.parse(await ask('migration begin', { ...about, highest, extra }));
  return { run, places: await placesWith(carried, ids, extra) };
}

/** Media items asked about at a time. */
const atOnce = 500;

/** Notes where the files are that were imported before. */
async function knownFiles({ catalogue, target, ask }: Carrying, places: SourcePlaces): Promise<void> {
  const known = target.known.filter(({ area }) => area === 'media');
  const pathAt = new Map([...catalogue.items].map(([id, { file }]) => [itemKey(id), file]));
  for (let from = 0; from < known.length; from += atOnce) {
    const some = known.slice(from, from + atOnce);
    const items = some.map(({ id }) => ({ area: 'media', id }));
    const found = (await ask('migration states', { items, shown: false })) as readonly ({
      readonly state: StoredMedia;
    } | null)[];
    for (const [i, { key }] of some.entries()) {
      const state = found[i]?.state;
      if (state === undefined) continue;
      const sizes = state.sizes.map(({ width, height }) => `${width}x${height}`);
      const name = state.shown === null ? state.name : state.name.replace(/(\.[^.]*)$/, `-${state.shown.suffix}$1`);
      places.moveFile(pathAt.get(key) ?? state.name, { path: `${state.folder}/${name}`, sizes });
    }
  }
}

interface StoredMedia {
  readonly folder: string;
  readonly name: string;
  readonly shown: { readonly suffix: string } | null;
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
}

function plannedCounts({ catalogue, target }: Carrying, places: SourcePlaces): ImportCounts {
  const counts: Record<string, Record<string, number>> = {};
  const add = (kind: string, what: string, number = 1) => {
    const row = counts[kind] ?? {};
    counts[kind] = row;
    row[what] = (row[what] ?? 0) + number;
  };
  for (const key of catalogue.authors.keys()) add('author', places.account(key) === undefined ? 'comes' : 'matched');
  for (const [key, { taxonomy }] of catalogue.terms) {
    add('term', isKnownTaxonomy(taxonomy) ? (places.standingTerm(key) === undefined ? 'comes' : 'matched') : 'unread');
  }
  const skipped = ['site', 'author', 'term', 'repaired', 'skipped'];
  const otherKinds = ['comment', 'revision', 'template', 'styles'];
  for (const [kind, count] of catalogue.counts) {
    if (skipped.includes(kind)) continue;
    add(kind, isKnownType(kind) || otherKinds.includes(kind) ? 'comes' : 'unread', count);
  }
  for (const { key, modified } of target.known) {
    const item = key.startsWith('item ') ? catalogue.items.get(Number(key.slice('item '.length))) : undefined;
    if (item === undefined || modified === '' || item.modifiedGmt !== modified) continue;
    add(item.type, 'same');
    add(item.type, isKnownType(item.type) ? 'comes' : 'unread', -1);
  }
  return counts;
}

/** Bytes of a file that are read for an estimate. */
const sampleBytes = 20_000_000;

async function sizeOf(carried: Carrying, files: number): Promise<number> {
  const reading = filesOf(carried);
  let looked = 0;
  for (const file of carried.catalogue.samples) {
    await reading.digest(file, sampleBytes).then(
      () => (looked += 1),
      () => undefined,
    );
  }
  return looked === 0 ? 0 : (reading.bytes / looked) * files;
}

function filesOf({ source, trusted, authorization, place }: Carrying): SourceFiles {
  const { config, signal } = place;
  return new SourceFiles({ source, folder: waitingFolder(config), trusted, authorization, signal });
}
