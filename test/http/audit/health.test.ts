import { describe, expect, it } from 'vitest';
import { healthSheet } from '#http/audit/health.ts';
import type { AuditStore, RebuildShown } from '#http/audit/store.ts';
import { analytics } from '#plugins/analytics/area.ts';
import { html } from '#text/html.ts';
import { admin, openTestNode } from '../../support/node.ts';

const none: RebuildShown = { task: null, startedAt: null, ended: null };

/** Makes a second commit. */
const assigned = { type: 'ExperimentAssigned', data: { flag: 'a', variant: 'b' } } as const;

/** Renders the page of a store with some members replaced. */
async function pageWith(given: Partial<AuditStore> | ((firstHash: string) => Partial<AuditStore>)): Promise<string> {
  const { node } = await openTestNode();
  await node.store.submit(admin, (session) => session.stage(analytics.stream, [assigned]));
  const first = [...node.log.read()].find(({ hash }) => hash !== null);
  const other = typeof given === 'function' ? given(first?.hash ?? '') : given;
  const { reader, log, trail, followed, rebuilding, clock } = node.store;
  const store = {
    reader,
    log,
    trail,
    followed,
    rebuilding,
    clock,
    past: node.store.past,
    logins: node.store.logins,
    readings: node.store.readings,
    health: () => node.store.health(),
    verified: () => null,
    prove: node.store.prove,
    ...other,
  };
  const { main } = healthSheet({
    ...{ store, path: ['health'], query: new URLSearchParams(), origins: undefined, formToken: null },
    pause: async () => undefined,
  });
  await node.close();
  return html`${main}`.markup;
}

describe('the health page', () => {
  it('does not mention rebuilds before the first one', async () => {
    expect(await pageWith({ rebuilding: { state: none } })).not.toContain('rebuild');
  });

  it('shows the progress of a rebuild', async () => {
    const task = { name: 'replaying', done: 1200, total: 5000, unit: 'events' };
    const state = { task, startedAt: '2026-03-01T11:00:00.000Z', ended: null };
    const page = await pageWith({ rebuilding: { state } });
    expect(page).toContain('replaying: 1,200 of 5,000 events');
    expect(page).toContain('<progress id="rebuild-progress" max="5000" value="1200">');
    expect(page).toContain('2026-03-01 12:00:00');
  });

  it('shows a running task whose total is unknown', async () => {
    const task = { name: 'comparing', done: 3, total: 0, unit: 'tables' };
    const page = await pageWith({
      rebuilding: { state: { task, startedAt: '2026-03-01T11:00:00.000Z', ended: null } },
    });
    expect(page).toContain('<progress id="rebuild-progress"></progress>');
  });

  it.each([
    ['replaced', 'The new projections serve now.'],
    ['failed', 'It failed; the live projections stayed.'],
  ])('shows the outcome of a rebuild: %s', async (outcome, text) => {
    const ended = { outcome, fault: outcome === 'failed' ? '<disk full>' : null, seconds: 12.4 };
    const page = await pageWith({
      rebuilding: { state: { task: null, startedAt: '2026-03-01T11:00:00.000Z', ended } },
    });
    expect(page).toContain(text);
    expect(page).toContain('12 seconds');
    expect(page.includes('&lt;disk full&gt;')).toBe(outcome === 'failed');
  });

  it('shows no ✓ for a log that was never verified', async () => {
    const page = await pageWith({});
    expect(page).toContain('Nobody has verified this log here yet.');
    expect(page).not.toContain('✓');
  });

  it.each([
    [
      'an earlier part of it',
      { position: 2, result: 'ok' },
      '✓ It was whole and consistent when it was last verified. 1 event has come since.',
    ],
    [
      'another log',
      { position: 2, result: 'ok', hash: 'a'.repeat(64) },
      '✗ This is not the log any more that was verified last.',
    ],
    ['a longer log', { position: 99, result: 'ok' }, '✗ This is not the log any more that was verified last.'],
    ['damage', { position: 2, result: 'wrong' }, '✗ The last run of verify found faults.'],
  ])('shows the result of verify for %s, and who ran it', async (_, { result, ...head }, verdict) => {
    const found = { at: '2026-03-01T11:00:00.000Z', by: 'operator', result: result as 'ok' | 'wrong', noted: true };
    const page = await pageWith((first) => ({ verified: () => ({ ...found, head: { hash: first, ...head } }) }));
    expect(page).toContain(verdict);
    expect(page).toContain('2026-03-01 12:00:00');
    expect(page).toContain('operator');
    expect(page.includes('✓')).toBe(verdict.includes('✓'));
  });

  it('does not wait for an index when there are few texts', async () => {
    const health = () => ({ version: 1, position: 1, hash: 'a'.repeat(64), unindexed: 331, direct: 1000, unsaved: 9 });
    const page = await pageWith({ health });
    expect(page).toContain('331 texts are searched directly');
    expect(page).not.toContain('wait to be indexed');
  });

  it('shows how far projections and search index are behind', async () => {
    const health = () => ({ version: 1, position: 1, hash: 'a'.repeat(64), unindexed: 1007, direct: 1000, unsaved: 9 });
    const page = await pageWith({ health });
    expect(page).toMatch(/They are \d+ events? behind/);
    expect(page).toContain('1,007 texts wait to be indexed.');
  });
});
