import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPackage, installPacked } from '../../../test/support/packed-package.ts';

const place = mkdtempSync(join(tmpdir(), 'tlog-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPacked('tlog', place);
});

describe('the package', () => {
  it('contains its modules with their types, a guide and a licence, and nothing else', () => {
    const built = installed.modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
    expect([...installed.packed].sort()).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].sort());
  });

  it('runs the example of its guide in an empty folder', async () => {
    const { stdout, printed } = await installed.runExample();
    expect(stdout).toBe(printed);
    expect(printed).not.toBe('');
  });

  it('has an entry and types for each of its modules, as its guide says', async () => {
    const named = [...installed.readme.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
    expect([...named, 'index'].sort()).toEqual([...installed.modules].sort());
    const lines = named.map((name, i) => `import * as m${i} from 'palimpsest-tlog/${name}';\nm${i};`);
    const wrong = `import { rootOf } from 'palimpsest-tlog';\nexport const root: string = rootOf(0, { hash: () => new Uint8Array() });`;
    const said = await installed.checkTypes(`${lines.join('\n')}\n${wrong}\n`);
    expect(said).toMatch(/^use\.ts\(\d+,14\): error TS2322: .*\n$/);
  });
});
