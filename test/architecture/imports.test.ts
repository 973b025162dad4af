import { describe, expect, it } from 'vitest';
import { type Import, importsOf, sources } from './sources.ts';

/** What the files of a folder may import: folders of ours and packages. The first matching folder counts. */
const layers: readonly { folder: string; takes: readonly string[] }[] = [
  // The list of all areas, including those of packages.
  { folder: 'src/domain/plugins/areas.ts', takes: ['src/domain/plugins/', 'src/plugin/loaded.ts'] },
  { folder: 'src/domain/', takes: ['src/domain/', 'src/text/', 'zod', 'immer'] },
  {
    folder: 'src/plugin/',
    takes: [
      'src/plugin/',
      'src/plugin.ts',
      'src/domain/kernel/',
      'src/domain/plugins/area.ts',
      'src/config/values.ts',
      'node:',
      'zod',
    ],
  },
  { folder: 'src/plugin-test.ts', takes: ['src/plugin/given.ts', 'src/plugin/test-site.ts'] },
  {
    folder: 'src/plugin.ts',
    takes: [
      'src/plugin/contract.ts',
      'src/plugin/define.ts',
      'src/plugin/routes.ts',
      'src/domain/kernel/',
      'src/domain/plugins/area.ts',
      'zod',
    ],
  },
  { folder: 'src/text/', takes: ['src/text/', 'node:crypto', 'diff', 'htmlparser2', 'domhandler'] },
  { folder: 'src/eventstore/eventstoredb/', takes: ['src/eventstore/', 'node:', '@eventstore/db-client'] },
  { folder: 'src/eventstore/', takes: ['src/eventstore/', 'node:'] },
  { folder: 'src/objects/s3.ts', takes: ['src/objects/', 'node:', '@aws-sdk/client-s3', '@aws-sdk/lib-storage'] },
  { folder: 'src/objects/', takes: ['src/objects/', 'node:'] },
  { folder: 'src/media/', takes: ['src/media/', 'src/objects/', 'src/domain/', 'node:', 'sharp', 'file-type'] },
  {
    folder: 'src/outgoing/',
    takes: [
      'src/outgoing/',
      'src/domain/kernel/',
      'src/process/node-http.ts',
      'src/process/guard.ts',
      'node:',
      'ipaddr.js',
    ],
  },
  { folder: 'src/projections/', takes: ['src/projections/', 'src/domain/', 'src/eventstore/', 'src/text/', 'node:'] },
  {
    folder: 'src/commands/',
    takes: ['src/commands/', 'src/projections/', 'src/domain/', 'src/eventstore/', 'src/text/', 'node:'],
  },
  {
    folder: 'src/http/engine/',
    takes: [
      ...[
        'src/http/engine/',
        'src/domain/kernel/',
        'src/domain/user/roles.ts',
        'src/text/cost.ts',
        'src/text/json.ts',
        'src/text/suspended.ts',
        'src/text/text-json.ts',
        'src/text/turns.ts',
      ],
      ...['src/process/guard.ts', 'node:', 'zod', 'lru-cache'],
    ],
  },
  {
    folder: 'src/http/',
    takes: [
      ...['src/http/', 'src/commands/', 'src/projections/', 'src/domain/', 'src/eventstore/port.ts', 'src/text/'],
      ...['src/media/', 'src/outgoing/', 'oembed-providers/'],
      ...[
        'src/process/node-http.ts',
        'src/process/guard.ts',
        'src/process/text-workers.ts',
        'node:',
        'zod',
        'fastify',
        '@fastify/proxy-addr',
        'lru-cache',
      ],
      ...['cookie', 'ipaddr.js', 'src/plugin/', '@modelcontextprotocol/sdk/'],
    ],
  },
  {
    folder: 'src/node/',
    takes: [
      ...[
        'src/node/',
        'src/config.ts',
        'src/process/',
        'src/http/tables/entries/view.ts',
        'src/commands/',
        'src/projections/',
      ],
      ...['src/domain/', 'src/eventstore/', 'src/text/', 'src/media/', 'src/objects/', 'node:', 'zod'],
    ],
  },
  { folder: 'src/process/', takes: ['src/process/', 'src/text/', 'node:'] },
  {
    folder: 'src/ops/',
    takes: ['src/', 'node:', 'zod', 'pino', 'sonic-boom', 'prom-client', 'cli-progress', '@opentelemetry/api'],
  },
  {
    folder: 'src/config.ts',
    takes: [
      ...['src/domain/plugins/', 'src/domain/site/interface-names.ts', 'src/eventstore/eventstoredb/address.ts'],
      ...['src/config/', 'src/objects/address.ts', 'zod'],
    ],
  },
  { folder: 'src/config/', takes: ['src/config/', 'src/objects/address.ts', 'node:fs', 'node:path', 'zod'] },
  { folder: 'src/main.ts', takes: ['src/process/', 'src/ops/', 'src/plugin/loaded.ts', 'close-with-grace'] },
  { folder: 'src/cli.ts', takes: ['src/process/', 'src/ops/', 'src/plugin/loaded.ts', 'src/main.ts'] },
];

const imports = sources('src/').flatMap(importsOf);

function allowed({ from, to }: Import): boolean {
  const layer = layers.find(({ folder }) => from.startsWith(folder));
  return layer?.takes.some((name) => to === name || (/[/:]$/.test(name) && to.startsWith(name))) ?? false;
}

/** The first import cycle found, or an empty list. */
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

describe('imports', () => {
  it('go one way: from http and ops through commands and projections to domain', () => {
    expect(imports.filter((one) => !allowed(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('are recognised by this test', () => {
    expect(imports.filter(({ to }) => to.startsWith('src/domain/')).length).toBeGreaterThan(20);
  });

  it('form no cycles, type imports included', () => {
    const edges = Map.groupBy(imports, ({ from }) => from);
    expect(findCycle(new Map([...edges].map(([from, group]) => [from, group.map(({ to }) => to)])))).toEqual([]);
  });
});
