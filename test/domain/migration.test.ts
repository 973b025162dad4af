import { describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { revisionChange } from '#domain/entry/revisions.ts';
import { type Migration, type MigrationDocument, type MigrationEvent, migrations } from '#domain/migration/area.ts';
import { created, given } from './support.ts';

const at = '2026-03-01T11:00:00.000Z';
const range = (from: number, to: number) => ({ from, to });
const begun = (run: number, item: Migration['ids']['item']): MigrationEvent => ({
  type: 'MigrationBegan',
  data: {
    ...{ run, source: 'https://old.example', origin: 'old.example', form: 'site', by: 'ada' },
    ids: { item, term: range(2, 10), user: range(3, 4), comment: range(1, 1) },
  },
});
const imported = (run: number, id: number, address?: string): MigrationEvent => ({
  type: 'ItemsImported',
  data: {
    run,
    items: [{ key: `item ${id}`, area: 'entry', id, digest: 'd', ...(address && { addresses: [address] }) }],
  },
});

/** The documents after some events, by their keys. */
function documents(...events: readonly MigrationEvent[]): Readonly<Record<string, MigrationDocument>> {
  const found: Record<string, MigrationDocument> = {};
  for (const event of events) {
    for (const key of migrations.keysOf(event)) {
      found[key] = migrations.evolve(found[key] ?? migrations.empty, event, { key, at });
    }
  }
  return found;
}

describe('migrations', () => {
  it('are counted, and keep ids that never become fewer', () => {
    const [one] = Object.values(documents(begun(1, range(4, 90)), begun(2, range(95, 95))));
    expect(one).toMatchObject({ last: 2, free: { item: 95, term: 10, user: 4, comment: 1 } });
    const [other] = Object.values(documents(begun(1, range(4, 90)), begun(2, range(10, 20))));
    expect(other).toMatchObject({ last: 2, free: { item: 90 } });
  });

  it('remember what an address of a source led to, whatever its case and its form; the last one counts', () => {
    const all = documents(imported(1, 7, '/2019/Grün/'), imported(1, 8), imported(2, 9, '/2019/gr%C3%BCn'));
    expect(Object.values(all).map(({ place }) => place)).toEqual([{ area: 'entry', id: 9 }]);
  });
});

describe('an imported revision', () => {
  const history = created({ title: 'Hello', content: 'Now' }).events();
  const data = {
    ...{ revision: 90, isNew: true, isAutosave: false, author: 7, saved: '2019-03-04T11:00:00' },
    ...{ savedGmt: '2019-03-04T10:00:00', title: 'Older', content: 'Before', excerpt: '', footnotes: '' },
  };
  const event = { type: 'EntryRevisionImported', data } as const;

  it('is one of its author at its time', () => {
    expect(revisionChange(event)).toEqual({
      kept: { id: 90, isAutosave: false, isNew: true, author: 7, date: data.saved, dateGmt: data.savedGmt },
    });
  });

  it('changes nothing of the entry but the number of its revisions', () => {
    const [before, after] = [given(...history).entry, given(...history, event).entry];
    const counted = { revisions: 1, latestRevision: 90, latestRevisionGmt: data.savedGmt };
    expect(after).toEqual({ ...before, ...counted });
    const autosave = { ...event, data: { ...data, isAutosave: true } };
    expect(given(...history, autosave).entry).toEqual(after);
    const replaced = { ...event, data: { ...data, isAutosave: true, isNew: false } };
    expect(given(...history, autosave, replaced).entry).toEqual(after);
  });

  it('belongs to its entry when that is erased', () => {
    const { type, v, data: open, sealed } = codec.encode(event, () => 'seed');
    expect(open).not.toContain('Before');
    const subjects = codec.subjects({ type, v, data: open, sealed, stream: 'entry-12', actor: 3, others: [] });
    expect(subjects).toEqual(['entry-12']);
  });
});
