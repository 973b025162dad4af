import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMenuItem } from '#commands/menu-items.ts';
import { createTerm, deleteTerm } from '#commands/terms.ts';
import { menu as menuKind } from '#domain/term/kinds.ts';
import type { Node } from '../../src/node/node.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { admin, openTestNode } from '../support/node.ts';

const count = 200;

describe('deleting a menu with many items', () => {
  let node: Node;
  let menu: number;
  let items: readonly number[];
  const budget = { bytes: Number.POSITIVE_INFINITY, sizeOf: () => 1 };

  beforeEach(async () => {
    let now = Date.parse('2026-03-01T11:00:00.000Z');
    // A millisecond passes each time anybody looks.
    const clock = () => now++;
    budget.bytes = Number.POSITIVE_INFINITY;
    const openLog = () => ({ ...openMemoryStore(), budget });
    node = (await openTestNode(undefined, { clock, openLog })).node;
    const { value } = await node.store.submit(admin, (session) => {
      const made = createTerm(session, menuKind, { name: 'Large' }) as number;
      createMenuItem(session, { title: 'In no menu', url: 'https://a.example/' });
      const item = (n: number) => ({ title: `Item ${n}`, url: 'https://a.example/', menu: made });
      return { made, ids: Array.from({ length: count }, (_, n) => createMenuItem(session, item(n)) as number) };
    });
    [menu, items] = [value.made, value.ids];
  });
  afterEach(() => node.close());

  const query = {
    ...{ kind: 'nav_menu_item', statuses: [{ status: 'publish' as const }] },
    ...{ orderBy: 'date' as const, order: 'asc' as const, offset: 0, limit: 1 },
  };
  const shown = () => items.filter((id) => node.store.reader.entry(id) !== undefined).length;
  const listed = () => node.store.reader.find(query).total;
  const deleted = () => node.store.submit(admin, (session) => deleteTerm(session, menu));

  it('gives others their turns, who see all of its items or none', async () => {
    const seen: number[] = [];
    const look = () => {
      seen.push(shown());
      looking = setImmediate(look);
    };
    let looking = setImmediate(look);
    expect(listed()).toBe(count + 1);
    await deleted();
    clearImmediate(looking);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen)).toEqual(new Set([count]));
    expect([shown(), listed()]).toEqual([0, 1]);
  });

  it('deletes nothing if there is no room for all of it', async () => {
    const { position } = node.log.head();
    budget.bytes = count / 2;
    await expect(deleted()).rejects.toThrow(/more than fits/);
    expect([node.log.head().position, shown()]).toEqual([position, count]);
    budget.bytes = Number.POSITIVE_INFINITY;
    await deleted();
    expect([node.log.head().position, shown()]).toEqual([position + 1 + count, 0]);
  });
});
