import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportsIn, functionsIn } from './functions.ts';
import { allSources, filesBelow, importsOf, textOf } from './sources.ts';

const all = allSources();

/** A command and the decision that it makes have one name, as have a function and the one that completes it, and the parts of all plugins. */
const sharedNames = `
  definePart addSizes addUser autosaveEntry changeComment changeMedia changeSettings changeTerm
  createEntry createTerm deleteComment deleteEntry deleteMedia deleteRevision deleteTerm editMedia eraseComment
  eraseEntry eraseMedia eraseUser issuePassword plugin releaseEntry renamePassword revertEntry routes saveEntry trashComment
  trashEntry uploadMedia writeComment
`
  .trim()
  .split(/\s+/);

/** Lines of code that match a pattern, as `file: text`. */
function linesWith(pattern: RegExp, except: readonly string[] = []): string[] {
  return all
    .filter(({ path }) => !except.some((allowed) => path.startsWith(allowed)))
    .flatMap(({ path, code }) =>
      code
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
}

/** Files that may read the clock or use randomness, for example for salts, request ids and secrets. */
const worldly = [
  ...[
    'src/node/',
    'src/main.ts',
    'src/ops/',
    'src/objects/',
    'src/domain/time/',
    'src/eventstore/random.ts',
    'src/eventstore/eventstoredb/seal.ts',
    'src/http/app/',
    'packages/client/',
  ],
  ...[
    'src/commands/credentials.ts',
    'src/commands/users.ts',
    'src/commands/tools.ts',
    'src/commands/builder-salt.ts',
    'src/commands/bypass-code.ts',
    'src/commands/secret.ts',
    'src/commands/tokens.ts',
    'src/commands/hooks.ts',
  ],
];

describe('the source', () => {
  it('receives the clock, ids and randomness from its caller', () => {
    expect(linesWith(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(UUID|Bytes|Int)\b/, worldly)).toEqual([]);
  });

  it('attaches listeners and timers of request handling only through the guard, which catches exceptions', () => {
    const attaching =
      /\.(?:on|once|addListener|addEventListener|pipe)\(|\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\(/;
    const answering = linesWith(attaching).filter((line) => /^src\/(?:http|media|outgoing)\//.test(line));
    expect(answering.filter((line) => !line.includes('request.setTimeout('))).toEqual([]);
  });

  it('starts threads that load plugins only where these are loaded first, so that they may be ended at any time', () => {
    const byPath = new Map(all.map((source) => [source.path, source]));
    const reached = (path: string, seen = new Set<string>()): ReadonlySet<string> => {
      const source = byPath.get(path);
      if (source === undefined || seen.has(path)) return seen;
      seen.add(path);
      for (const { to } of importsOf(source)) reached(to, seen);
      return seen;
    };
    const started = all
      .filter(({ text }) => /\bnew Worker\(/.test(text))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/new URL\('(.*)', import\.meta\.url\)/g)].map(([, name = '']) =>
          posix.join(posix.dirname(path), name),
        ),
      );
    const loading = started.filter((path) => reached(path).has('src/plugin/loaded.ts'));
    expect([started.length > 2, loading]).toEqual([true, ['src/ops/thread-entry.ts']]);
  });

  it('has no file longer than 350 lines', () => {
    expect(all.filter(({ text }) => text.split('\n').length > 350).map(({ path }) => path)).toEqual([]);
  });

  it('is in few files: most things that only one other file needs are in that file', () => {
    const importers = Map.groupBy(all.flatMap(importsOf), ({ to }) => to);
    const small = all.filter(({ text }) => text.split('\n').length <= 40).map(({ path }) => path);
    const alone = small.filter((path) => new Set(importers.get(path)?.map(({ from }) => from)).size === 1);
    expect(alone.length).toBeLessThanOrEqual(40);
  });

  it('has no function longer than 60 lines', () => {
    const long = all.flatMap(({ path, text }) =>
      functionsIn(text)
        .filter(({ lines }) => lines > 60)
        .map(({ name, lines }) => `${path}: ${name} (${lines} lines)`),
    );
    expect(long).toEqual([]);
  });

  it('gives each exported name to one thing', () => {
    const files = all.flatMap(({ path, text }) => [...new Set(exportsIn(text))].map((name) => ({ name, path })));
    const shared = [...Map.groupBy(files, ({ name }) => name)].filter(([, found]) => found.length > 1);
    expect(shared.map(([name]) => name).filter((name) => !sharedNames.includes(name))).toEqual([]);
    expect(sharedNames.filter((name) => !shared.some(([one]) => one === name))).toEqual([]);
  });

  it('has no default exports', () => {
    expect(linesWith(/^\s*export default\b/)).toEqual([]);
  });

  it('uses neither `any` nor directives that suppress type errors', () => {
    expect(linesWith(/:\s*any\b|\bas any\b|<any\b|\bany\[\]/)).toEqual([]);
    expect(all.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text)).map(({ path }) => path)).toEqual(
      [],
    );
  });
});

describe('the length of a function', () => {
  const lines = (count: number) => Array.from({ length: count }, () => '  work();').join('\n');

  it.each([
    ['a function', (inner: string) => `export function long(): void {\n${inner}\n}`],
    ['an arrow function', (inner: string) => `const long = () => {\n${inner}\n};`],
    ['a method', (inner: string) => `class Some { long() {\n${inner}\n} }`],
    ['a constructor', (inner: string) => `class Some { constructor() {\n${inner}\n} }`],
    ['a getter', (inner: string) => `const some = { get long() {\n${inner}\n} };`],
    ['a function that contains another one', (inner: string) => `function long() { return () => {\n${inner}\n}; }`],
  ])('counts the lines of %s from its first to its closing brace', (_, around) => {
    const most = (inner: string) => Math.max(...functionsIn(around(inner)).map((one) => one.lines));
    expect([most(lines(58)), most(lines(59))]).toEqual([60, 61]);
  });
});

describe('the project', () => {
  it('contains no local paths of a developer machine', () => {
    const texts = filesBelow('').filter((path) => /\.(ts|mjs|json|md|ya?ml|run)$|file$/i.test(path));
    const local = /(?<![\w.:~-])\/(?:root|home|Users|work|farm)\/\w/;
    expect(texts.filter((path) => local.test(textOf(path)))).toEqual([]);
    expect(texts.length).toBeGreaterThan(50);
  });
});
