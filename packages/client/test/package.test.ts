import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPackage, installPacked } from '../../../test/support/packed-package.ts';
import { startSite } from '../../../test/support/site.ts';

const place = mkdtempSync(join(tmpdir(), 'client-'));
const sources = join(import.meta.dirname, '../src');
afterAll(() => rmSync(place, { recursive: true, force: true }));

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPacked('client', place);
});

/** A part of the types that are generated for a site. */
const paths = `interface paths {
  '/cms/v2/posts': {
    get: {
      parameters: { query?: { search?: string; orderby?: 'id' | 'date' }; path?: never };
      responses: { 200: { content: { 'application/json': { id: number; title: { rendered: string } }[] } }; default: { content: { 'application/json': { code: string } } } };
    };
    put?: never;
    post: {
      parameters: { query?: { _fields?: string[] }; path?: never };
      requestBody: { content: { 'application/json': { title: string; status?: 'draft' | 'publish' } } };
      responses: { 201: { content: { 'application/json': { id: number } } } };
    };
  };
  '/cms/v2/posts/{id}': {
    get: { parameters: { query?: { context?: 'edit' }; path: { id: number } }; responses: { 200: { content: { 'application/json': { id: number } } } } };
  };
  '/cms/v2/media': {
    post: {
      parameters: { path?: never };
      requestBody?: { content: { 'multipart/form-data': { title?: string }; '*/*': string } };
      responses: { 201: { content: { 'application/json': { id: number } } } };
    };
  };
}`;

/** Lines that are right, and lines each of which is an error. */
const right = [
  `const list: { title: { rendered: string } }[] = (await cms.get('/cms/v2/posts', { query: { search: 'x' } })).data;`,
  `for await (const { title } of cms.each('/cms/v2/posts')) title.rendered.length;`,
  `for await (const { data } of cms.preview('t').pages('/cms/v2/posts')) data[0]?.id.toFixed();`,
  `const id: number = (await cms.post('/cms/v2/posts', { body: { title: 'x', status: 'draft' } })).data.id;`,
  `await cms.release(1).get('/cms/v2/posts/{id}', { path: { id }, query: { context: 'edit' }, headers: { a: 'b' } });`,
  `await cms.post('/cms/v2/media', { body: new Blob([]), ifMatch: await cms.get('/cms/v2/posts'), idempotencyKey: null });`,
  `for await (const { changes } of cms.changes({ since: 1 })) changes[0]?.what.trim();`,
  `await createClient('x').get('/any/{thing}', { path: { thing: 1 }, query: { a: [1] } });`,
  `const params: Readonly<Record<string, string>> = new StaleError('code', 'message').params;`,
];
const wrong = [
  `await cms.get('/cms/v2/novels');`,
  `await cms.put('/cms/v2/posts', {});`,
  `await cms.get('/cms/v2/posts/{id}');`,
  `await cms.get('/cms/v2/posts/{id}', { path: { id: 'x' } });`,
  `await cms.get('/cms/v2/posts', { query: { orderby: 'weight' } });`,
  `await cms.get('/cms/v2/posts', { ifMatch: 'x' });`,
  `await cms.post('/cms/v2/posts');`,
  `await cms.post('/cms/v2/posts', { body: { title: 'x', status: 'printed' } });`,
  `await cms.post('/cms/v2/posts', { body: new Blob([]) });`,
  `(await cms.get('/cms/v2/posts')).data[0]?.subtitle;`,
  `await cms.preview('t').post('/cms/v2/posts', { body: { title: 'x' } });`,
];

describe('the package', () => {
  it('contains its modules with their types, a guide and a licence, and nothing else', () => {
    const built = installed.modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
    expect([...installed.packed].sort()).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].sort());
  });

  it('runs the example of its guide against a site', async () => {
    const site = await startSite();
    try {
      const [login = '', password = ''] = atob(site.authorization('editor').slice('Basic '.length)).split(':');
      const { stdout, printed } = await installed.runExample([
        `http://127.0.0.1:${site.port}/cms-json`,
        login,
        password,
      ]);
      expect(stdout).toBe(printed);
      expect(printed).not.toBe('');
    } finally {
      await site.close();
    }
  });

  it('has types that take the types of a site, and refuse what these do not have', async () => {
    const head = `import { createClient, StaleError } from 'palimpsest-client';\n${paths}\nconst cms = createClient<paths>('x');\nexport async function use() {`;
    const said = await installed.checkTypes([head, ...right, ...wrong, '}'].join('\n'));
    const first = `${head}\n`.split('\n').length + right.length;
    const lines = [...said.matchAll(/^use\.ts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual(wrong.map((_, i) => first + i));
  });

  it('is small: 300 lines of JavaScript, and no other package', () => {
    const scripts = readdirSync(sources).map((name) => stripTypeScriptTypes(readFileSync(join(sources, name), 'utf8')));
    const lines = scripts
      .flatMap((script) => script.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').split('\n'))
      .filter((line) => /[^\s;,]/.test(line));
    expect(lines.length).toBeGreaterThan(200);
    expect(lines.length).toBeLessThanOrEqual(300);
    const { dependencies } = JSON.parse(readFileSync(join(sources, '../package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
  });

  it('needs nothing but what browsers have as well', () => {
    const taken = readdirSync(sources).flatMap((name) =>
      [
        ...readFileSync(join(sources, name), 'utf8').matchAll(/ from '([^']+)'|\b(process|Buffer|require|global)\b\W/g),
      ].map(([, from, name]) => from ?? name),
    );
    expect(taken.filter((one) => !/^\.\/\w+\.ts$/.test(one ?? ''))).toEqual([]);
  });
});
