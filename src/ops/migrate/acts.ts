import { writeFile } from 'node:fs/promises';
import { thisOperator } from '../operator.ts';
import type { Outcome } from '../outcome.ts';
import { type Carrying, makingOf, placesBefore, placesWith } from './carrying.ts';
import { authorItemKey, isKnownTaxonomy, isKnownType } from './catalogue.ts';
import { SourceFiles } from './files.ts';
import { type ImportCounts, Importer, type ImportRemark } from './importer.ts';
import { waitingFolder } from './opening.ts';
import { itemKey, type SourcePlaces } from './places.ts';
import { type MigrationReport, moveReportText, reportPage } from './report.ts';
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

/** Items and bytes that are imported in a second by a machine with two cores, for estimates. */
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
  const unread = sumOf(counts, 'unread');
  const changes = changesOf(carried, places);
  const summary = [
    `${number(sumOf(counts, 'comes'))} things come, with ${number(files)} ${files === 1 ? 'file' : 'files'}${size === 0 ? '' : ` of about ${megabytes(size)}`}; it takes about ${duration(seconds)}.`,
    ...(unread === 0
      ? []
      : [
          `${number(unread)} are of kinds that this store has not: they are kept as they are, and an export gives them back.`,
        ]),
    ...(changes.length === 0
      ? []
      : [
          `${number(changes.length)} get another id, slug or account, because theirs are taken here; texts that refer to them are changed accordingly.`,
        ]),
    ...(target.runs.length === 0 ? [] : ['Something was imported from there before: only what has changed comes.']),
    'Nothing was written.',
  ];
  return ended(carried, html, { what: 'plan', counts, summary, remarks: [], changes });
}

/** Imports what has changed since the last time. */
export async function runMove(carried: Carrying, options: ActOptions): Promise<Outcome> {
  const { source, catalogue, target, ask, place, trusted, authorization } = carried;
  const began = performance.now();
  const { run, places } = await begun(carried, options);
  await knownFiles(carried, places);
  const making = makingOf(places, carried);
  const folder = waitingFolder(place.config);
  const files = new SourceFiles({ source, folder, trusted, authorization, signal: place.signal });
  const { as, overwrites, sizes: resizes } = options;
  const importer = new Importer({ run, as, overwrites, resizes, ask, making });
  const takesSettings = options.settings || target.isEmpty;
  const migration = new MigrationRun({ source, catalogue, target, making, importer, files, takesSettings });
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
  const failed = sumOf(counts, 'refused');
  const summary = [
    `${number(sumOf(counts, 'made'))} new, ${number(sumOf(counts, 'changed'))} changed, ${number(sumOf(counts, 'same') + sumOf(counts, 'matched'))} as they were; ${number(failed)} not imported, ${number(sumOf(counts, 'unread'))} carried along unread. Files: ${megabytes(files.bytes)}. It took ${duration(seconds)}.`,
    `This was migration ${run}: undo it with "migrate undo ${catalogue.origin}", compare it with "migrate verify".`,
  ];
  return ended(carried, options.html, {
    what: 'import',
    counts,
    summary,
    remarks,
    changes: [...changesOf(carried, places), ...gone],
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
  const { source, catalogue, target, ask, place, trusted, authorization } = carried;
  const last = target.runs.at(-1);
  if (last === undefined) {
    const message = `nothing was imported from ${catalogue.origin}: "migrate run" does it`;
    return { kind: 'refused', code: 'nothing_imported', message };
  }
  const places = await placesWith(carried, null);
  await knownFiles(carried, places);
  const files = new SourceFiles({
    source,
    folder: waitingFolder(place.config),
    trusted,
    authorization,
    signal: place.signal,
  });
  const making = makingOf(places, carried);
  const comparison = new Comparison({ source, catalogue, target, making, files, ask });
  const { total, unit } = source;
  await during(carried, { name: 'comparing', total, unit }, (task) => comparison.all(task));
  const { counts, remarks, renamed } = comparison;
  const signed = (await ask('migration checkpoint', {})) as { readonly note: string } | null;
  const differences = sumOf(counts, 'differs');
  const days = [...new Set(target.runs.map(({ at }) => at.slice(0, 10)))].join(', ');
  const summary = [
    `Moved on ${days}: ${number(sumOf(counts, 'equal') + sumOf(counts, 'matched'))} items equal, ${number(differences)} ${differences === 1 ? 'difference' : 'differences'}, ${number(sumOf(counts, 'unread'))} carried along unread.`,
    `Each was compared field by field, ${number(counts['attachment']?.['equal'] ?? 0)} files byte by byte (${megabytes(files.bytes)}), and every word of each text with what readers see.`,
  ];
  const found = {
    what: 'comparison',
    counts,
    summary,
    remarks,
    changes: [...changesOf(carried, places), ...renamed],
  } as const;
  return ended(carried, html, { ...found, checkpoint: signed?.note ?? '' }, differences > 0);
}

type Found = Pick<MigrationReport, 'what' | 'counts' | 'summary' | 'remarks' | 'changes'> & {
  readonly checkpoint?: string;
};

async function ended(
  { source, catalogue, target }: Carrying,
  file: string | undefined,
  found: Found,
  isWrong = false,
): Promise<Outcome> {
  const at = new Date().toISOString();
  const { site, notices } = catalogue;
  const about = { source: source.name, title: site.title, target: target.site.url, at, notices };
  const names = new Map([...catalogue.authors.keys()].map((key) => [authorItemKey(key), `author ${key}`]));
  const remarks = found.remarks.map((one) => ({ ...one, key: names.get(one.key) ?? one.key }));
  const report: MigrationReport = { ...about, checkpoint: '', ...found, remarks };
  if (file !== undefined) await writeFile(file, reportPage(report));
  return { kind: isWrong ? 'wrong' : 'done', value: report, text: moveReportText(report) };
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
  const all = Object.keys(highest) as Series[];
  const isCovered = all.every((of) => extra[of] === 0 && target.runs.some(({ ids }) => ids[of].to > highest[of]));
  if (last !== undefined && isCovered) return { run: last.run, places: await placesWith(carried, null) };
  const by = as ?? thisOperator('migrate run', undefined).user;
  const about = { source: source.name, origin, form: source.form, by, ...(as === undefined ? {} : { as }) };
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
  if (target.runs.length > 0) for (const { key } of target.known) if (key.startsWith('item ')) add('before', 'same');
  return counts;
}

/** What has another id, slug or account here. */
function changesOf({ source, catalogue }: Carrying, places: SourcePlaces): ImportRemark[] {
  const changes: ImportRemark[] = [];
  for (const [id, { type, slug }] of catalogue.items) {
    if (!isKnownType(type)) continue;
    const here = places.item(id);
    const named = places.slug(id);
    // Numbers that were made up for the reading are nobody's.
    if (source.hasIds !== false && here !== id && here !== 0)
      changes.push({ key: itemKey(id), code: 'other_id', message: `It has the id ${here} here.` });
    if (named !== slug) changes.push({ key: itemKey(id), code: 'renamed', message: `Its slug is ${named} here.` });
  }
  return changes;
}

/** Bytes of a file that are read for an estimate. */
const sampleBytes = 20_000_000;

async function sizeOf({ source, catalogue, trusted, authorization, place }: Carrying, files: number): Promise<number> {
  const folder = waitingFolder(place.config);
  const reading = new SourceFiles({ source, folder, trusted, authorization, signal: place.signal });
  let looked = 0;
  for (const file of catalogue.samples) {
    await reading.digest(file, sampleBytes).then(
      () => (looked += 1),
      () => undefined,
    );
  }
  return looked === 0 ? 0 : (reading.bytes / looked) * files;
}

function sumOf(counts: ImportCounts, what: string): number {
  return Object.values(counts).reduce((sum, row) => sum + (row[what] ?? 0), 0);
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function megabytes(bytes: number): string {
  return `${number(Math.ceil(bytes / 1e6))} MB`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${number(Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${number(Math.round(seconds / 60))} min` : `${(seconds / 3600).toFixed(1)} h`;
}
