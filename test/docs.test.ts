import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages } from '../tools/docs.ts';
import { sources } from './architecture/sources.ts';

const page = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

it.each(Object.entries(pages))('docs/%s is what `npm run docs` generates', async (name, make) => {
  expect(page(name)).toBe(await make());
});

describe('docs/interface.md', () => {
  const sections = page('interface.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ number: Number.parseInt(text, 10), text }));

  it('has every section that comments cite', () => {
    const cited = ['src/', 'test/', 'bench/'].flatMap((folder) =>
      sources(folder).flatMap(({ path, text }) =>
        [
          ...text
            .replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
            .matchAll(/interface behaviour,? sections? ((?:\d+(?:, | and )?)+)/gi),
        ].flatMap(([, numbers = '']) =>
          numbers.split(/, | and /).map((number) => ({ path, number: Number.parseInt(number, 10) })),
        ),
      ),
    );
    expect(cited.length).toBeGreaterThan(50);
    const known = new Set(sections.map(({ number }) => number));
    expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
  });

  it('names an existing scenario or test for every section', () => {
    const evidence = sections.map(({ number, text }) => {
      const [, list = ''] = /Checked by:([\s\S]*)/.exec(text) ?? [];
      const files = [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
        name.replace(/^open\//, 'test/conformance/open/'),
      );
      return { number, files, missing: files.filter((name) => !existsSync(new URL(`../${name}`, import.meta.url))) };
    });
    expect(evidence.filter(({ files, missing }) => files.length === 0 || missing.length > 0)).toEqual([]);
  });
});

describe('docs/caches.md', () => {
  const named = new Set(
    [...page('caches.md').matchAll(/`(?:src\/)?(\w+\/[\w/-]+\.ts)`/g)].map(([, name = '']) =>
      name.startsWith('packages/') ? name : `src/${name}`,
    ),
  );

  it('names existing files', () => {
    expect([...named].filter((name) => !existsSync(new URL(`../${name}`, import.meta.url)))).toEqual([]);
  });

  it('names every file that has a cache of a usual kind', () => {
    const usual = /\bnew (?:LRUCache|WeakRef|Remembered|KeptRows)\b|\bremember\(this\./;
    const having = [...sources('src/'), ...sources('packages/')].filter(({ code }) => usual.test(code));
    expect(having.length).toBeGreaterThan(10);
    expect(having.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  });
});

it('types name decisions that exist and are in force', () => {
  const named = ['src/', 'packages/', 'plugins/'].flatMap((folder) =>
    sources(folder).flatMap(({ text }) => [...text.matchAll(/docs\/adr\/[\w-]+\.md/g)].map(([path]) => path)),
  );
  expect(new Set(named).size).toBeGreaterThan(15);
  const page = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  expect(named.filter((path) => !/^Status: accepted/m.test(page(path)))).toEqual([]);
});

it('CONTRIBUTING lists every recipe', () => {
  const guide = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
  const recipes = readdirSync(new URL('../docs/recipes', import.meta.url));
  expect(recipes.length).toBeGreaterThan(5);
  expect(recipes.filter((name) => !guide.includes(`(docs/recipes/${name})`))).toEqual([]);
});

describe('docs/tour.md', () => {
  const stories = page('tour.md')
    .split(/^## /m)
    .map((text) => text.split(/^\d\. /m).slice(1))
    .filter((steps) => steps.length > 0);

  it('tells a write and a read in seven files each', () => {
    expect(stories.map((steps) => steps.length)).toEqual([7, 7]);
  });

  it.each(stories.flat().map((step) => [/^\[([^\]]+)/.exec(step)?.[1] ?? step, step] as const))(
    'names what is in %s',
    (path, step) => {
      expect(step).toContain(`](../${path}): `);
      const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
      const [itself, ...others] = [
        ...step
          .split(/\n\n/, 1)
          .join('')
          .matchAll(/`(\w+)`/g),
      ].map(([, name = '']) => name);
      expect(text).toMatch(new RegExp(`(?:function|class|const)\\*? ${itself}\\b|\\b${itself}(?:: \\(|\\()`));
      expect(others.filter((name) => !text.includes(name))).toEqual([]);
    },
  );
});

describe('the documentation', () => {
  const root = new URL('../', import.meta.url);
  const names = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' });
  const guides = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...names.map((name) => `docs/${name}`)];
  const anchorOf = (title: string) => {
    const words = title.toLowerCase().replace(/[^\w\s-]/g, '');
    return words.replaceAll(' ', '-');
  };
  const anchorsOf = (page: URL) =>
    [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));

  it.each(guides.filter((name) => name.endsWith('.md')))('links to existing files and headings: %s', (name) => {
    const page = new URL(name, root);
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const target = new URL(link, page);
      const anchor = target.hash.slice(1);
      target.hash = '';
      return !existsSync(target) || (anchor !== '' && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});
