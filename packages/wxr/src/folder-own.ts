import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileEnding } from './folder-defaults.ts';
import { parseItemFile, siteFolder } from './folder-form.ts';
import { textNotice } from './folder-items.ts';
import { type FolderTree, folderNotice, readText } from './folder-tree.ts';
import { type KnownThing, type SiteRecord, SourceFault, type SourcePart, type SourceRecord } from './records.ts';

/** The site of a folder that `writeFolderSite` wrote; null: something else wrote it. */
export async function ownSite(tree: FolderTree): Promise<SiteRecord | null> {
  const text = tree.has('site.json') ? await readText(tree, 'site.json') : null;
  try {
    const found = typeof text === 'string' ? JSON.parse(text) : null;
    if (found?.form !== siteFolder.form) return null;
    const { form: _, version, ...site } = found;
    if (version === siteFolder.version) return site;
    throw new SourceFault(
      'unknown_version',
      `${tree.root} has version ${version} of its form; ${siteFolder.version} is known.`,
    );
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether a file of such a folder has records. */
export function isOwnText(path: string): boolean {
  if (path.startsWith('data/')) return path.endsWith('.jsonl');
  return !path.startsWith('uploads/') && path !== 'site.json' && /\.(?:md|html|json)$/.test(path);
}

/** Files with what follows an item. */
function belongings(id: number): string[] {
  return [revisionsOf(id), `data/comments/${id}.jsonl`];
}

function revisionsOf(id: number): string {
  return `data/revisions/${id}.jsonl`;
}

/** All records of such a folder. `located`: told where the bytes of a file are. */
export async function* ownParts(
  tree: FolderTree,
  site: SiteRecord,
  how: {
    readonly isKnown: (what: KnownThing) => boolean;
    readonly located: (item: SourceRecord, path: string) => void;
  },
  counted: () => void,
): AsyncGenerator<SourcePart> {
  yield { record: site, place: { file: 'site.json', line: 0 } };
  const paths = tree.paths.filter(isOwnText);
  const first = ['data/authors.jsonl', 'data/terms.jsonl'].filter(tree.has);
  const items = paths.filter((path) => !path.startsWith('data/'));
  const left = new Set(paths.filter((path) => path.startsWith('data/') && !first.includes(path)));
  for (const path of first) yield* linesOf(tree, path, how.isKnown, counted);
  for (const path of items) {
    const part = await ownItem(tree, path, how.located);
    counted();
    const record = 'record' in part ? part.record : null;
    const known =
      record?.kind === 'item' && how.isKnown({ kind: 'item', id: record.id, modifiedGmt: record.modifiedGmt });
    if (known) left.delete(revisionsOf(record.id));
    if (known) continue;
    yield part;
    if (record?.kind !== 'item') continue;
    for (const path of belongings(record.id).filter((one) => left.delete(one))) {
      yield* linesOf(tree, path, how.isKnown, counted);
    }
  }
  for (const path of left) yield* linesOf(tree, path, how.isKnown, counted);
}

async function ownItem(
  tree: FolderTree,
  path: string,
  located: (item: SourceRecord, path: string) => void,
): Promise<SourcePart> {
  const text = await readText(tree, path);
  if (typeof text !== 'string') return { notice: text };
  try {
    const { item, localFile } = parseItemFile(text, fileEnding(path));
    if (localFile !== '' && tree.has(localFile)) located(item, localFile);
    return { record: item, place: { file: path, line: 0 } };
  } catch (error) {
    const notice = textNotice(path, error);
    if (notice) return { notice };
    throw error;
  }
}

/** Records of a file that has one in each line. */
async function* linesOf(
  tree: FolderTree,
  path: string,
  isKnown: (what: KnownThing) => boolean,
  counted: () => void,
): AsyncGenerator<SourcePart> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(join(tree.root, path)), crlfDelay: Infinity })) {
    line += 1;
    const record = recordIn(text);
    if (text.trim() === '') continue;
    if (record === null) yield { notice: folderNotice(path, 'no_record', 'is no record in JSON.', line) };
    else if (!('of' in record) || !isKnown({ kind: record.kind, id: record.id, modifiedGmt: null })) {
      yield { record, place: { file: path, line } };
    }
  }
  counted();
}

function recordIn(line: string): SourceRecord | null {
  try {
    const found = JSON.parse(line);
    const kinds = ['author', 'term', 'revision', 'comment', 'template', 'styles'];
    return typeof found === 'object' && found !== null && kinds.includes(found.kind) ? found : null;
  } catch {
    return null;
  }
}
