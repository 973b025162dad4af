import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedSite, siteWithAll } from './all-resources.ts';
import { readables } from './readables.ts';
import { nameless } from './reading.contract.ts';
import { listed, resourceContract } from './resource.contract.ts';
import { resources } from './resources.ts';

const shared = sharedSite();

/** Routes of collections that have an item route, and of items that have no collection, without names of parameters. */
function keepersOf(routes: readonly string[]): readonly string[] {
  const known = new Set(routes.map(nameless));
  const item = /^(.+)\/\([^()]*(?:\(\?:[^()]*\)[^()]*)*\)$/;
  const keepers = [...known].flatMap((route) => {
    const [, parent] = item.exec(route) ?? [];
    return parent === undefined ? [] : [known.has(parent) ? parent : route];
  });
  const below = '/cms/v2';
  return [...new Set(keepers)].flatMap((route) => (route.startsWith(`${below}/`) ? route.slice(below.length) : []));
}

/** Routes without records, and the section of the interface behaviour that says so. */
const others: Readonly<Record<string, number>> = {
  '/font-families/([\\d]+)/font-faces': 38,
  '/block-renderer/([a-z0-9-]+/[a-z0-9-]+)': 40,
};

describe('the contract', () => {
  it.each(['A', 'B'] as const)('covers everything that has items in deployment %s', async (deployment) => {
    const open = deployment === 'A' ? await shared() : await siteWithAll(deployment);
    const { body } = await open.call('anonymous', 'GET /cms-json/');
    if (deployment !== 'A') await open.close();
    const covered = [...resources.map(({ path }) => path), ...readables.map(({ routes }) => routes[0])];
    const known = new Set([...covered, ...Object.keys(others)]);
    const keepers = keepersOf(Object.keys(body.routes));
    expect(
      keepers.filter((route) => !known.has(route)),
      listed,
    ).toEqual([]);
    expect(keepers.length).toBeGreaterThan(40);
  });

  it('names sections that exist for what differs', () => {
    const text = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
    const differences = [...resources, ...readables].flatMap(({ differs = {} }) => Object.values(differs));
    const sections = [...differences.map(({ section }) => section), ...Object.values(others)];
    expect(sections.filter((section) => !text.includes(`\n## ${section}. `))).toEqual([]);
  });
});

for (const resource of resources) resourceContract(resource, shared);
