import { describe, expect, it } from 'vitest';
import { healthSheet } from '#http/audit/health.ts';
import type { AuditStore, RebuildShown } from '#http/audit/store.ts';
import { html } from '#http/pages/html.ts';
import { openTestNode } from '../../support/node.ts';

const none: RebuildShown = { task: null, startedAt: null, ended: null };

/** The page of a store about which some things are otherwise. */
async function pageWith(other: Partial<AuditStore>): Promise<string> {
  const { node } = await openTestNode();
  const { reader, log, trail, rebuilding } = node.store;
  const store = { reader, log, trail, rebuilding, health: () => node.store.health(), ...other };
  const { main } = healthSheet({
    ...{ store, path: ['health'], query: new URLSearchParams(), originOf: undefined },
    pause: async () => undefined,
  });
  await node.close();
  return html`${main}`.markup;
}

describe('the health page', () => {
  it('says nothing of rebuilds when there has been none', async () => {
    expect(await pageWith({ rebuilding: { state: none } })).not.toContain('rebuild');
  });

  it('shows how far a rebuild has come', async () => {
    const task = { name: 'replaying', done: 1200, total: 5000, unit: 'events' };
    const state = { task, startedAt: '2026-03-01T11:00:00.000Z', ended: null };
    const page = await pageWith({ rebuilding: { state } });
    expect(page).toContain('replaying: 1,200 of 5,000 events');
    expect(page).toContain('<progress id="rebuild-progress" max="5000" value="1200">');
    expect(page).toContain('2026-03-01 12:00:00');
  });

  it('shows that something is done whose end is not known', async () => {
    const task = { name: 'comparing', done: 3, total: 0, unit: 'tables' };
    const page = await pageWith({
      rebuilding: { state: { task, startedAt: '2026-03-01T11:00:00.000Z', ended: null } },
    });
    expect(page).toContain('<progress id="rebuild-progress"></progress>');
  });

  it.each([
    ['replaced', 'The new projections serve now.'],
    ['failed', 'It failed; the live projections stayed.'],
  ])('says how a rebuild ended: %s', async (outcome, text) => {
    const ended = { outcome, fault: outcome === 'failed' ? '<disk full>' : null, seconds: 12.4 };
    const page = await pageWith({
      rebuilding: { state: { task: null, startedAt: '2026-03-01T11:00:00.000Z', ended } },
    });
    expect(page).toContain(text);
    expect(page).toContain('12 seconds');
    expect(page.includes('&lt;disk full&gt;')).toBe(outcome === 'failed');
  });

  it('says how far behind projections and index are', async () => {
    const health = () => ({ version: 1, position: 1, hash: 'a'.repeat(64), unindexed: 7, unsaved: 9 });
    const page = await pageWith({ health });
    expect(page).toMatch(/They are \d+ events? behind/);
    expect(page).toContain('7 texts wait to be indexed.');
  });
});
