import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { MigrationComparison } from '#domain/migration/area.ts';
import type { SourceNotice } from '#wxr/records.ts';
import type { Outcome } from '../outcome.ts';
import type { Carrying } from './carrying.ts';
import { authorItemKey, isKnownType } from './catalogue.ts';
import type { ImportCounts, ImportRemark } from './importer.ts';
import { itemKey, type SourcePlaces } from './places.ts';
import { type MigrationReport, moveReportText, type ReportSeal, reportPage, sealedText } from './report.ts';

/** What an act found, as a report for people. */

/** Codes of notices that a file ends before its end. */
const cutCodes = new Set(['truncated']);
/** The notice that a file of the source ends before its end; null: it does not. */
export function cutOff({ notices }: Carrying['catalogue']): SourceNotice | null {
  return notices.find(({ code }) => cutCodes.has(code)) ?? null;
}

export function cutOffLine(catalogue: Carrying['catalogue']): string[] {
  const notice = cutOff(catalogue);
  if (notice === null) return [];
  const { file, line } = notice.place;
  return [
    `${file} is cut off at line ${countInWords(line)}: what followed is not on the new site. Get the whole file, and run it again.`,
  ];
}

type Found = Pick<MigrationReport, 'what' | 'isGood' | 'counts' | 'summary' | 'remarks' | 'changes'>;

/** `result`: what is noted in the log. */
export async function reportOutcome(
  { source, catalogue, target, ask }: Carrying,
  file: string | undefined,
  found: Found,
  result: Omit<MigrationComparison, 'digest'> | null = null,
): Promise<Outcome> {
  const at = new Date().toISOString();
  const { site, notices } = catalogue;
  const about = { source: source.name, title: site.title, target: target.site.url, at, notices };
  const named = (list: readonly ImportRemark[]) => list.map((one) => ({ ...one, key: nameOf(one.key, catalogue) }));
  const report: MigrationReport = { ...about, ...found, remarks: named(found.remarks), changes: named(found.changes) };
  const digest = createHash('sha256').update(sealedText(report)).digest('hex');
  const seal = result === null ? null : ((await ask('migration compared', { ...result, digest })) as ReportSeal);
  if (file !== undefined) await writeFile(file, reportPage(report, seal));
  const value = { ...report, ...(seal === null ? {} : { sha256: digest, ...seal }) };
  const isWrong = found.what === 'comparison' && !found.isGood;
  return { kind: isWrong ? 'wrong' : 'done', value, text: moveReportText(report) };
}

/** What people call something of a source: an item by its type and address. */
function nameOf(key: string, { items, authors }: Carrying['catalogue']): string {
  const item = key.startsWith('item ') ? items.get(Number(key.slice('item '.length))) : undefined;
  if (item !== undefined) return `${item.type} ${item.path || item.file || key.slice('item '.length)}`;
  for (const author of key.startsWith('author ') ? authors.keys() : []) {
    if (authorItemKey(author) === key) return `author ${author}`;
  }
  return key;
}

/** What has another id, slug or account here. */
export function movedDifferently({ source, catalogue, target }: Carrying, places: SourcePlaces): ImportRemark[] {
  const changes: ImportRemark[] = [];
  const users = new Map(target.users.map((user) => [user.id, user]));
  for (const [key, { email }] of catalogue.authors) {
    const here = users.get(places.account(key) ?? 0);
    if (here === undefined || email === '' || here.email.toLowerCase() === email.toLowerCase()) continue;
    const message = `It is the account ${here.login} here, which has another mail address: --authors decides otherwise.`;
    changes.push({ key: `author ${key}`, code: 'other_account', message });
  }
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

export function countOfAll(counts: ImportCounts, what: string): number {
  return Object.values(counts).reduce((sum, row) => sum + (row[what] ?? 0), 0);
}

export function countInWords(count: number): string {
  return count.toLocaleString('en');
}

export function megabytesInWords(bytes: number): string {
  return `${countInWords(Math.ceil(bytes / 1e6))} MB`;
}

export function durationInWords(seconds: number): string {
  if (seconds < 90) return `${countInWords(Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${countInWords(Math.round(seconds / 60))} min` : `${(seconds / 3600).toFixed(1)} h`;
}
