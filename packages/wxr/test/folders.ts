import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FolderOptions, openFolderSource } from '../src/folder.ts';
import type { ItemRecord, SourceRecord } from '../src/records.ts';

const now = Date.UTC(2026, 0, 1);

/** A folder with files, for the time of a test. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export async function readFolder(folder: string, options: FolderOptions = { now }) {
  const source = await openFolderSource(folder, options);
  const parts = await Array.fromAsync(source.read());
  const records = parts.flatMap((part) => ('record' in part ? [part.record] : []));
  const notices = parts.flatMap((part) => ('notice' in part ? [part.notice] : []));
  const items = new Map<string, ItemRecord>();
  for (const part of parts)
    if ('record' in part && part.record.kind === 'item') items.set(part.place.file, part.record);
  const item = (path: string): ItemRecord => {
    const found = items.get(path);
    if (!found) throw new Error(`no ${path} in ${[...items.keys()]}`);
    return found;
  };
  return { source, records, notices, items, item };
}

export const ofKind = <K extends SourceRecord['kind']>(records: readonly SourceRecord[], kind: K) =>
  records.filter((one): one is SourceRecord & { kind: K } => one.kind === kind);
