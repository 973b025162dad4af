import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../support/temporary.ts';

/** An edit of a source file: `change` replaces the only occurrence of `at`. */
export interface Edit {
  readonly file: string;
  readonly at: string | RegExp;
  readonly change: (found: string) => string;
}

/** A new source file. */
export interface Added {
  readonly file: string;
  readonly text: string;
}

const root = join(import.meta.dirname, '../..');

/** A copy of the sources with some edits, next to the packages that they use. */
export function edited(edits: readonly (Edit | Added)[]): string {
  const copy = temporaryDirectory();
  for (const name of ['src', 'plugins', 'packages', 'package.json', 'docs', 'CHANGELOG.md']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const edit of edits) {
    const path = join(copy, edit.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'text' in edit ? edit.text : changed(readFileSync(path, 'utf8'), edit));
  }
  return copy;
}

function changed(text: string, { file, at, change }: Edit): string {
  const places = text.split(at).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places for the edit`);
  return text.replace(at, change);
}

/** Files that edits touch. */
export function filesOf(edits: readonly (Edit | Added)[]): number {
  return new Set(edits.map(({ file }) => file)).size;
}
