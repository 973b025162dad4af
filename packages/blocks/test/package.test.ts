import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPackage, installPacked } from '../../../test/support/packed-package.ts';

const place = mkdtempSync(join(tmpdir(), 'blocks-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPacked('blocks', place);
});

describe('the package', () => {
  it('contains its modules with their types, a guide and a licence, and nothing else', () => {
    const built = installed.modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
    expect(installed.modules).toContain('supports/wrapper');
    expect([...installed.packed].sort()).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].sort());
  });

  it('runs the example of its guide in an empty folder', async () => {
    const { stdout, printed } = await installed.runExample();
    expect(stdout).toBe(printed);
    expect(printed).not.toBe('');
  });

  it('has types for its modules, and everything that its guide names', async () => {
    const tables = installed.readme.split('## What a site shows')[0] ?? '';
    const named = [...tables.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(
      ([, names = '']) => names.match(/\w+/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(10);
    const lines = installed.modules.map((name, i) => `import * as m${i} from 'palimpsest-blocks/${name}';\nm${i};`);
    const entry = `import { ${named.join(', ')}, type ServerSide, type Surroundings } from 'palimpsest-blocks';\n[${named}];`;
    const port = `const server: ServerSide = { block: ({ name }) => name, shortcode: ({ name }) => name, embed: () => null };`;
    const wrong = `export const root: Surroundings = { server };`;
    const said = await installed.checkTypes([...lines, entry, port, wrong].join('\n'));
    expect(said).toMatch(/^use\.ts\(\d+,14\): error TS2739: .*footnotes, counters\n$/);
  });
});
