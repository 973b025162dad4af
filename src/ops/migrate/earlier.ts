import { codec } from '#catalogue/events.ts';
import { bySystem } from '#commands/session.ts';
import {
  type ImportedItem,
  type KeptUnread,
  type Migration,
  type MigrationEvent,
  migrations,
} from '#domain/migration/area.ts';
import { templates } from '#domain/templates/area.ts';
import { taxonomies } from '#domain/term/events.ts';
import { type UndoEvent, undoStream } from '#domain/undo/events.ts';
import { activeTheme } from '#http/tables/themes/theme.ts';
import type { VerbStore } from '../verb.ts';
import type { KnownItem, MigrationTarget } from './target.ts';

/** All that was imported from a site before, from the events that noted it. */
export async function migrationTarget(store: VerbStore, origin: string): Promise<MigrationTarget> {
  const { reader, log } = store;
  const runs: MigrationTarget['runs'][number][] = [];
  const known = new Map<string, KnownItem>();
  const undone = undoneCommits(log);
  for (const stored of log.read({ stream: migrations.stream })) {
    const { type, data } = codec.decode(stored) as MigrationEvent;
    const { run } = data;
    if (type === 'MigrationBegan') {
      if (data.origin === origin) runs.push({ ...data, at: stored.at, position: stored.position });
    } else if (type !== 'MigrationCompared' && runs.some((one) => one.run === run)) {
      for (const one of type === 'ItemsImported' ? data.items.map(knownItem) : [keptOnly(data)]) {
        // What was undone is to come again, with the id that it had.
        const isUndone = undone.has(stored.position - stored.commit.i);
        const standing = isUndone ? { ...one, digest: '', modified: '' } : one;
        if (one.area !== null || (known.get(one.key)?.area ?? null) === null) known.set(one.key, { ...standing, run });
      }
    }
  }
  const { url, name, timezone } = reader.site();
  const { value: next } = await store.submit(bySystem, (session) => session.next);
  return {
    site: { url, name, timezone, theme: activeTheme(reader, store.plugins.themes).slug },
    next: { item: next.nextId, term: next.nextTerm, user: next.nextUser, comment: next.nextComment },
    runs,
    known: [...known.values()],
    users: reader.users().map(({ id, login, email }) => ({ id, login, email })),
    terms: taxonomies.flatMap((taxonomy) => reader.terms(taxonomy).map(({ id, slug }) => ({ id, taxonomy, slug }))),
    templates: reader.plugin(templates).places.map(({ number, type, theme, slug }) => ({ number, type, theme, slug })),
    isEmpty: next.nextId === 1,
  };
}

/** Positions at which commits begin that were undone. */
export function undoneCommits(log: Pick<VerbStore['log'], 'read'>): ReadonlySet<number> {
  const found = [...log.read({ stream: undoStream })].map((stored) => codec.decode(stored) as UndoEvent);
  return new Set(found.flatMap(({ data }) => data.commits));
}

function knownItem({ key, area, id, digest, modified = '' }: ImportedItem): Omit<KnownItem, 'run'> {
  return { key, area, id, digest, modified };
}

function keptOnly({ key, digest }: KeptUnread): Omit<KnownItem, 'run'> {
  return { key, area: null, id: 0, digest, modified: '' };
}

/** Positions of the commits that imported something from a source and were not undone; `names`: of it, or the site behind it. */
export function migrationCommits(log: VerbStore['log'], names: readonly string[], run: number | undefined) {
  const isAsked = (one: Migration) =>
    (run === undefined || one.run === run) &&
    [one.source, one.origin, `http://${one.origin}`, `https://${one.origin}`].some((name) => names.includes(name));
  const undone = undoneCommits(log);
  const found = new Map<
    number,
    { readonly run: number; readonly at: string; readonly positions: number[]; items: number }
  >();
  for (const stored of log.read({ stream: migrations.stream })) {
    const { type, data } = codec.decode(stored) as MigrationEvent;
    if (type === 'MigrationBegan') {
      if (isAsked(data)) found.set(data.run, { run: data.run, at: stored.at, positions: [], items: 0 });
    } else if (type === 'ItemsImported' && !undone.has(stored.position - stored.commit.i)) {
      const own = found.get(data.run);
      own?.positions.push(stored.position);
      if (own !== undefined) own.items += data.items.length;
    }
  }
  return [...found.values()];
}
