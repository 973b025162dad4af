import { describe, expect, it } from 'vitest';
import { dataFiles } from '#node/data-files.ts';
import { allSources, textOf } from './sources.ts';

const sections = new Map(
  textOf('docs/mechanisms.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
);
/** Sources of the server: tools and the client run elsewhere. */
const sources = allSources().filter(({ path }) => !/^(?:tools|packages\/client)\//.test(path));

function section(name: string): string {
  const text = sections.get(name);
  if (text === undefined) throw new Error(`docs/mechanisms.md has no section "${name}"`);
  return text;
}

/** First cells of the rows of its table. */
function rowsOf(name: string): readonly string[] {
  return [...section(name).matchAll(/^\| (?!what |kind |where |file )([^|]+) \|/gm)].map(([, cell = '']) => cell);
}

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:\w[\w-]*\/)+[\w-]+\.ts)`/g)].map(([, name = '']) => `src/${name}`).sort();
}

function filesWith(pattern: RegExp): readonly string[] {
  return sources.flatMap(({ path, code }) => (pattern.test(code) ? path : [])).sort();
}

/** Every file with something of a kind is in its section, and no other one is. `known`: where the kind itself is made. */
const byFile: readonly (readonly [section: string, pattern: RegExp, known: readonly string[]])[] = [
  ['Threads', /\bnew Worker\(|\bstartThread\(/, []],
  ['Child processes', /\b(?:startChild|fork|spawn|spawnSync|execFile)\(/, []],
  [
    'Background jobs',
    /(?<![.\w])set(?:Interval|Timeout)\(|\bset(?:Interval|Timeout) as\b|\b(?:startIdleWork|regularly)\(/,
    ['src/http/server/intake.ts', 'src/eventstore/eventstoredb/refusal.ts'],
  ],
];

describe('docs/mechanisms.md', () => {
  it.each(byFile)('has every file and no other one: %s', (name, pattern, known) => {
    const found = filesWith(pattern).filter((path) => !known.includes(path));
    expect([...new Set(filesIn(section(name)))]).toEqual(found);
  });

  it('has all kinds of caches, and every way in which docs/caches.md says that one is emptied', () => {
    const kinds = { 'new LRUCache': /\bnew LRUCache\b/, remember: /\bremember\(/, 'new WeakMap': /\bnew WeakMap\b/ };
    for (const [kind, pattern] of Object.entries(kinds)) {
      expect([kind, section('Caches').includes(`\`${kind}\``)]).toEqual([kind, filesWith(pattern).length > 0]);
    }
    expect(section('Caches').includes('`new WeakRef`')).toBe(filesWith(/\bnew WeakRef\b/).length > 0);
    const ways = rowsOf('Ways to invalidate');
    const emptied = [
      ...textOf('docs/caches.md').matchAll(/^\| [^|]+ \| `[^|]+ \| [^|]+ \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm),
    ];
    expect(emptied.length).toBeGreaterThan(20);
    const unknown = emptied.map(([, how = '']) => how).filter((how) => !ways.some((way) => how.startsWith(way)));
    expect(unknown).toEqual([]);
    expect(ways.filter((way) => !emptied.some(([, how = '']) => how.startsWith(way)))).toEqual([]);
  });

  it('has every database of a data directory, and there are six at most', () => {
    const databases = dataFiles.filter(({ isDatabase }) => isDatabase).map(({ name }) => `\`${name}\``);
    expect([...rowsOf('Databases')].sort()).toEqual(databases.sort());
    expect(databases.length).toBeLessThanOrEqual(6);
    const known = new Set(dataFiles.map(({ name }) => name));
    // A name in the sources that no table has: those that a start takes over, and nothing else.
    const named = sources.flatMap(({ path, code }) =>
      path === 'src/node/node-file.ts' ? [] : [...code.matchAll(/'([\w-]+\.db)'/g)].map(([, name = '']) => name),
    );
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual(['origins.db']);
  });

  it('has every type of answer of the interface', () => {
    const types = sources
      .filter(({ path }) => /^src\/http\/(?:engine|message)\//.test(path))
      .flatMap(({ code }) => [...code.matchAll(/^export (?:interface|type) (\w*(?:Answer|Reply))\b/gm)])
      .map(([, name = '']) => name)
      .sort();
    const told = [
      ...rowsOf('Answers')
        .join()
        .matchAll(/`(\w+)`/g),
    ]
      .map(([, name = '']) => name)
      .sort();
    expect(told).toEqual(types);
  });

  it('has everything that shows the site at a position', () => {
    const shown = /^export class (\w+) (?:implements (?:Present)?Model|extends (?:Reader|PastModel))\b/gm;
    const found = sources.flatMap(({ path, code }) =>
      [...code.matchAll(shown)].map(([, name = '']) => `\`${name}\` ${path.slice('src/'.length)}`),
    );
    const rows = [...section('The past').matchAll(/^\| (`\w+`) \| `([^`]+)` \|/gm)];
    expect(rows.map(([, name = '', path = '']) => `${name} ${path}`).sort()).toEqual(found.sort());
  });
});
