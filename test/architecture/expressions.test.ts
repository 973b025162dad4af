import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { allSources } from './sources.ts';

/** Expressions that the sources construct, by source and flags, with the file that constructs them. */
const constructed = vi.hoisted(() => {
  const found = new Map<string, { readonly source: string; readonly flags: string; readonly path: string }>();
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, newTarget) {
      const made = Reflect.construct(target, args, newTarget) as RegExp;
      const path = Native.prototype.exec.call(
        /\/((?:src|plugins|packages)\/[\w/.-]+\.ts):/,
        new Error('').stack ?? '',
      )?.[1];
      const { source, flags } = made;
      if (path !== undefined) found.set(`${path} /${source}/${flags}`, { source, flags, path });
      return made;
    },
  });
  return found;
});

/** Files with expressions that are super-linear by themselves, and what bounds their text or their work. */
const bounded: Readonly<Record<string, string>> = {
  'src/text/shortcode.ts': 'from each start of a word, the last alternative takes the whole word',
  'src/text/slug.ts': 'the text was cut to the length of a slug',
  'src/domain/user/naming.ts': 'the text ends with its last `>` or `;`, so each start finds an end',
  'src/http/tables/users/passwords.ts': 'part of the schema that clients see; validation tests it without `.*`',
  'src/http/pages/style.ts': 'the style sheets of the sources, once',
};

/** The same for those that are constructed. */
const boundedWhenMade: Readonly<Record<string, string>> = {
  'src/text/supports/class-names.ts': 'from each start of a word, one of the last alternatives takes the whole word',
};

function superLinear(source: string, flags: string): boolean {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.length > 0;
}

function literalsOf(path: string, text: string): { readonly source: string; readonly flags: string }[] {
  const found: { readonly source: string; readonly flags: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

const all = allSources();

describe('a regular expression', () => {
  it('of the sources takes time in proportion to its text, or its text is bounded', () => {
    const literals = all.flatMap(({ path, text }) => literalsOf(path, text).map((one) => ({ path, ...one })));
    expect(literals.length).toBeGreaterThan(500);
    const slow = literals.filter(({ source, flags }) => superLinear(source, flags)).map(({ path }) => path);
    expect(new Set(slow)).toEqual(new Set(Object.keys(bounded)));
  });

  it('that the sources construct takes time in proportion to its text', async () => {
    const { startPluginSite } = await import('../support/plugins.ts');
    const files = all.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ path }) => path);
    for (const path of files) await import(/* @vite-ignore */ `../../${path}`);
    for (const deployment of ['A', 'B'] as const) {
      const site = await startPluginSite(deployment);
      await site.call('administrator', 'GET /posts?per_page=1');
      await site.close();
    }
    expect(constructed.size).toBeGreaterThan(100);
    const slow = [...constructed.values()].filter(({ source, flags }) => superLinear(source, flags));
    const known: readonly string[] = Object.keys(boundedWhenMade);
    expect(new Set(slow.map(({ path }) => path))).toEqual(new Set(known));
  });

  it.each([
    [String.raw`(?:[^"\\]+|\\.)*"`, true],
    [String.raw`^-?\d*\.?\d+$`, true],
    [String.raw`\/+$`, true],
    [String.raw`(?<!\/)\/+$`, false],
    [String.raw`^-?(?:\d+(?:\.\d+)?|\.\d+)$`, false],
  ])('/%s/ is super-linear: %s', (source, expected) => {
    expect(superLinear(source, '')).toBe(expected);
  });
});
