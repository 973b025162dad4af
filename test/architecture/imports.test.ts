import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allSources, type Import, importsOf, sources, textOf } from './sources.ts';

/** What the files of a folder may import: folders of ours and packages. The first matching folder counts. */
const layers: readonly { folder: string; takes: readonly string[] }[] = [
  {
    folder: 'src/text/',
    takes: ['src/text/', 'packages/blocks/', 'node:crypto', 'diff', 'htmlparser2', 'domhandler', 'css-select'],
  },
  { folder: 'src/domain/', takes: ['src/domain/', 'src/text/', 'packages/blocks/', 'zod', 'immer'] },
  {
    folder: 'src/plugin/',
    takes: [
      ...['src/plugin/', 'src/plugin.ts', 'src/domain/kernel/', 'src/domain/plugins/area.ts'],
      'src/domain/media/sizes.ts',
      ...['src/domain/plugins/deployment.ts', 'src/domain/page-assets/slots.ts', 'node:', 'zod', 'immer'],
    ],
  },
  {
    folder: 'src/plugin.ts',
    takes: [
      ...['src/plugin/', 'src/domain/kernel/', 'src/domain/plugins/area.ts', 'src/domain/page-assets/slots.ts'],
      ...[
        'src/domain/media/sizes.ts',
        'src/domain/time/pattern.ts',
        'src/text/html.ts',
        'src/text/query-string.ts',
        'src/text/slug.ts',
        'src/text/svg.ts',
        'zod',
      ],
    ],
  },
  {
    folder: 'src/catalogue/',
    takes: ['src/catalogue/', 'src/domain/', 'src/plugin/loaded.ts', 'src/plugin/contract.ts', 'zod'],
  },
  { folder: 'src/plugin-test.ts', takes: ['src/plugin/given.ts', 'src/plugin/test-site.ts'] },
  { folder: 'src/eventstore/eventstoredb/', takes: ['src/eventstore/', 'node:', '@eventstore/db-client'] },
  { folder: 'src/proofs/', takes: ['src/proofs/', 'packages/tlog/', 'node:crypto'] },
  { folder: 'src/eventstore/', takes: ['src/eventstore/', 'node:'] },
  { folder: 'src/objects/s3.ts', takes: ['src/objects/', 'node:', '@aws-sdk/client-s3', '@aws-sdk/lib-storage'] },
  { folder: 'src/objects/', takes: ['src/objects/', 'node:'] },
  { folder: 'src/process/', takes: ['src/process/', 'src/text/', 'node:'] },
  {
    folder: 'src/outgoing/',
    takes: ['src/outgoing/', 'src/domain/kernel/', 'src/process/', 'node:', 'ipaddr.js', 'lru-cache'],
  },
  {
    folder: 'src/media/',
    takes: [
      'src/media/',
      'src/objects/',
      'src/domain/',
      'node:',
      'lru-cache',
      'sharp',
      'file-type',
      'exifr',
      'music-metadata',
      'strtok3',
    ],
  },
  {
    folder: 'src/projections/',
    takes: [
      'src/projections/',
      'src/catalogue/',
      'src/domain/',
      'src/eventstore/',
      'src/text/',
      'packages/blocks/',
      'node:',
      'lru-cache',
    ],
  },
  {
    folder: 'src/commands/',
    takes: [
      ...['src/commands/', 'src/projections/', 'src/catalogue/', 'src/domain/', 'src/eventstore/', 'src/plugin/'],
      ...['src/text/', 'src/process/pauses.ts', 'src/process/guard.ts', 'packages/blocks/', 'node:'],
    ],
  },
  {
    folder: 'src/site/',
    takes: [
      'src/site/',
      'src/projections/',
      'src/domain/',
      'src/outgoing/',
      'src/text/',
      'packages/blocks/',
      'node:crypto',
      'lru-cache',
    ],
  },
  {
    folder: 'src/node/',
    takes: [
      ...[
        'src/node/',
        'src/commands/',
        'src/projections/',
        'src/catalogue/',
        'src/domain/',
        'src/eventstore/',
        'src/text/',
      ],
      ...[
        'src/media/',
        'src/objects/',
        'src/process/',
        'src/proofs/',
        'packages/tlog/',
        'src/config.ts',
        'node:',
        'zod',
      ],
    ],
  },
  {
    folder: 'src/http/message/',
    takes: [
      ...['src/http/message/', 'src/domain/kernel/', 'src/domain/user/roles.ts', 'src/text/', 'src/process/guard.ts'],
      ...['node:', 'zod', 'lru-cache'],
    ],
  },
  {
    folder: 'src/http/engine/',
    takes: [
      ...[
        'src/http/engine/',
        'src/http/message/',
        'src/domain/kernel/',
        'src/domain/time/local.ts',
        'src/domain/user/roles.ts',
        'src/text/',
        'src/process/guard.ts',
      ],
      ...['node:', 'zod', 'lru-cache'],
    ],
  },
  {
    folder: 'src/http/',
    takes: [
      ...['src/http/', 'src/site/', 'src/commands/', 'src/projections/', 'src/catalogue/', 'src/domain/', 'src/text/'],
      ...[
        'src/eventstore/port.ts',
        'src/media/',
        'src/outgoing/',
        'src/plugin/',
        'src/process/',
        'packages/blocks/',
        'packages/tlog/',
      ],
      ...['node:', 'zod'],
      ...['fastify', '@fastify/proxy-addr', 'lru-cache', 'cookie', 'ipaddr.js', '@modelcontextprotocol/sdk/'],
      ...['oembed-providers/', 'yazl', '@tus/server', '@tus/file-store'],
    ],
  },
  {
    folder: 'src/ops/',
    takes: [
      ...[
        'src/',
        'packages/tlog/',
        'packages/wxr/',
        'node:',
        'zod',
        'pino',
        'sonic-boom',
        'prom-client',
        'cli-progress',
        '@opentelemetry/api',
        'sharp',
      ],
      '@sigstore/core',
    ],
  },
  {
    folder: 'src/config.ts',
    takes: [
      ...['src/domain/plugins/', 'src/domain/site/interface-names.ts', 'src/eventstore/eventstoredb/address.ts'],
      ...['src/config/', 'src/catalogue/plugin-settings.ts', 'src/objects/address.ts', 'zod'],
    ],
  },
  { folder: 'src/config/', takes: ['src/config/', 'src/objects/address.ts', 'node:fs', 'node:path', 'zod'] },
  { folder: 'src/main.ts', takes: ['src/process/', 'src/ops/', 'src/plugin/loaded.ts', 'close-with-grace'] },
  { folder: 'src/cli.ts', takes: ['src/process/', 'src/ops/', 'src/plugin/loaded.ts', 'src/main.ts'] },
];

const all = sources('src/');
const imports = all.flatMap(importsOf);
const ofPlugins = sources('plugins/').flatMap(importsOf);
const packages = readdirSync(new URL('../../packages/', import.meta.url));
const installed = Object.keys(JSON.parse(textOf('package.json')).dependencies);

function allowed({ from, to }: Import): boolean {
  const layer = layers.find(({ folder }) => from.startsWith(folder));
  return layer?.takes.some((name) => to === name || (/[/:]$/.test(name) && to.startsWith(name))) ?? false;
}

/** The first cycle found, or an empty list. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    const cycle = (edges.get(path) ?? [])
      .map((next) => visit(next, [...trail, path]))
      .find((found) => found.length > 0);
    done.add(path);
    return cycle ?? [];
  };
  return [...edges.keys()].map((path) => visit(path, [])).find((found) => found.length > 0) ?? [];
}

function edgesOf(list: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  return new Map([...Map.groupBy(list, ({ from }) => from)].map(([from, group]) => [from, group.map(({ to }) => to)]));
}

/** The file or folder directly below a folder that a path belongs to; null for a path elsewhere. */
function roomOf(path: string, folder: string): string | null {
  return path.startsWith(folder) ? (path.slice(folder.length).split('/')[0] ?? null) : null;
}

const folders = [...new Set(all.flatMap(({ path }) => foldersAbove(path)))].sort();

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

/** Whether a plugin that comes with the server may import something: as any other plugin, its own files, the public entry and packages. */
function allowedOfPlugin({ from, to }: Import): boolean {
  const own = `plugins/${roomOf(from, 'plugins/')}/`;
  return to.startsWith(own) || to === 'palimpsest/plugin' || to.startsWith('node:') || installed.includes(to);
}

/** Whether a package beside the server may import something: its own files, parts of Node, and packages that it declares. */
function allowedOfPackage({ from, to }: Import): boolean {
  const own = `packages/${roomOf(from, 'packages/')}/`;
  const { dependencies = {} } = JSON.parse(textOf(`${own}package.json`));
  return to.startsWith(`${own}src/`) || to.startsWith('node:') || Object.hasOwn(dependencies, to);
}

describe('imports', () => {
  it.each(packages)('of packages/%s reach nothing but itself and what it declares', (name) => {
    const own = allSources().filter(({ path }) => path.startsWith(`packages/${name}/`));
    const found = own.flatMap(importsOf);
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((one) => !allowedOfPackage(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
    expect(findCycle(edgesOf(found))).toEqual([]);
  });

  it('of plugins reach nothing of the server but its public entry', () => {
    expect(ofPlugins.length).toBeGreaterThan(5);
    expect(ofPlugins.filter((one) => !allowedOfPlugin(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('of the server are none of plugins: a deployment names them', async () => {
    const { bundled } = await import('../../plugins/deployments.ts');
    const named = Object.values(bundled)
      .flat()
      .filter((name) => name.startsWith('.'));
    const there = sources('plugins/').flatMap(({ path }) =>
      path.endsWith('/plugin.ts') ? path.replace('plugins', '.') : [],
    );
    expect([...new Set(named)].sort()).toEqual(there.sort());
    expect(imports.filter(({ to }) => to.startsWith('plugins/'))).toEqual([]);
  });

  it('of the server name no namespace of a plugin', () => {
    const tables = sources('plugins/').filter(({ path }) => path.endsWith('/plugin.ts'));
    const names = tables.flatMap(({ code }) => [...code.matchAll(/'([a-z-]+)\/v\d+'/g)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(5);
    const named = all.flatMap(({ path, code }) =>
      names.filter((name) => new RegExp(`\\b${name}/v\\d`).test(code)).map((name) => `${path}: ${name}`),
    );
    expect(named).toEqual([]);
  });

  it('go one way: from http and ops through commands and projections to domain', () => {
    expect(imports.filter((one) => !allowed(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('are recognised by this test', () => {
    expect(imports.filter(({ to }) => to.startsWith('src/domain/')).length).toBeGreaterThan(20);
  });

  it('form no cycles between files, type imports included', () => {
    expect(findCycle(edgesOf([...imports, ...ofPlugins]))).toEqual([]);
  });

  it.each(folders)('form no cycles between the rooms of %s', (folder) => {
    const within = imports.flatMap(({ from, to }) => {
      const [one, other] = [roomOf(from, folder), roomOf(to, folder)];
      return one === null || other === null || one === other ? [] : { from: one, to: other };
    });
    expect(findCycle(edgesOf(within))).toEqual([]);
  });

  it.each([
    { folder: 'src/', rooms: 22, arrows: 79 },
    { folder: 'src/http/', rooms: 14, arrows: 47 },
    { folder: 'src/projections/', rooms: 16, arrows: 59 },
  ])('join few rooms in $folder', ({ folder, rooms, arrows }) => {
    const within = imports.flatMap(({ from, to }) => {
      const [one, other] = [roomOf(from, folder), roomOf(to, folder)];
      return one === null || other === null || one === other ? [] : `${one} ${other}`;
    });
    const all = new Set(imports.flatMap(({ from }) => roomOf(from, folder) ?? []));
    expect(all.size).toBeLessThanOrEqual(rooms);
    expect(new Set(within).size).toBeLessThanOrEqual(arrows);
  });
});
