import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../support/temporary.ts';

/** A change of a file: lines that stand in it once, and those that take their place. A file that does not exist is made. */
export interface Edit {
  readonly file: string;
  readonly from: string | null;
  readonly to: string;
}

const root = join(import.meta.dirname, '../..');

/**
 * The changes that a recipe makes, in order: of its example, and of further sections. A block of code below the path of a file is a new file;
 * one of differences has lines of it, with as many around them as it takes to find the place.
 */
export function recipe(name: string, ...sections: readonly string[]): readonly Edit[] {
  const page = readFileSync(join(root, 'docs/recipes', `${name}.md`), 'utf8');
  return ['Example', ...sections].flatMap((title) => {
    const [, section] = page.split(`\n## ${title}\n`);
    if (section === undefined) throw new Error(`${name} has no section "${title}"`);
    const [own = ''] = section.split('\n## ');
    const blocks = [...own.matchAll(/^`([^`\n]+)`(?:, a new file)?:\n\n```(ts|diff)\n([\s\S]*?)^```$/gm)];
    if (blocks.length === 0) throw new Error(`${name} has no code in "${title}"`);
    return blocks.flatMap(([, file = '', kind, code = '']) =>
      kind === 'ts' ? [{ file, from: null, to: code }] : code.split('@@\n').map((hunk) => editOf(file, hunk)),
    );
  });
}

function editOf(file: string, hunk: string): Edit {
  const lines = hunk.split('\n').slice(0, -1);
  const side = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`);
  return { file, from: side(' -').join(''), to: side(' +').join('') };
}

/** The next version of a projection, as the recipes ask for where rows change. */
export function raised(file: string): Edit {
  const [found = '', version] = /^ {2}version: (\d+),\n/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  return { file, from: found, to: `  version: ${Number(version) + 1},\n` };
}

/** A copy of the sources with some edits, next to the packages that they use. */
export function edited(edits: readonly Edit[]): string {
  const copy = temporaryDirectory();
  for (const name of ['src', 'plugins', 'packages', 'package.json', 'docs', 'CHANGELOG.md']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const edit of edits) {
    const path = join(copy, edit.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edit.from === null ? edit.to : changed(readFileSync(path, 'utf8'), edit));
  }
  return copy;
}

function changed(text: string, { file, from, to }: Edit): string {
  const places = text.split(from ?? '').length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places for the edit:\n${from}`);
  return text.replace(from ?? '', () => to);
}

/** Source files that edits touch. */
export function filesOf(edits: readonly Edit[]): number {
  return new Set(edits.map(({ file }) => file)).size;
}
