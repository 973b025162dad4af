import { z } from 'zod';
import { searchFor } from '#projections/collection/search-query.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { titleOf } from '#site/rendering/fragments.ts';
import { canReadEntry } from '#site/rights.ts';
import type { Answer, Call } from '../../../../engine/types.ts';
import { rawAnswer } from '../../kit/envelopes.ts';
import { strict } from '../../kit/field.ts';
import { type DynamicField, dynamicSiteFields, entryFields, metaFields } from './fields.ts';
import { entryOf, isSource, kindNames, maxLatest, placeIn, sources } from './sources.ts';

const id = z.union([z.string().max(200), z.int()]).transform(String);

export const source = strict('source', z.string().max(200), { required: true });
export const anyId = strict('id', id);
export const entityId = strict('id', id, { required: true });
export const searchTerm = strict('search_term', z.string().max(1000));

const maxFound = 5;

export function listSources(): Answer {
  return rawAnswer(sources);
}

export function listFields(call: Call<Model>): Answer {
  const from = source.of(call) ?? '';
  if (!isSource(from)) return rawAnswer([]);
  if (from === 'site') return rawAnswer(described(dynamicSiteFields));
  const row = entryOf(from, anyId.of(call) ?? '', call);
  return rawAnswer({ ...described(entryFields), ...(row === null ? {} : described(metaFields(row))) });
}

export function searchEntities(call: Call<Model>): Answer {
  const [from, term] = [source.of(call), searchTerm.of(call) ?? ''];
  if (from === 'other-posts')
    return rawAnswer(mapOf(otherPosts(term, call).map((row) => [String(row.id), labelOf(row)])));
  if (from !== 'latest-post') return rawAnswer([]);
  const named = kindNames(call.model).flatMap(([kind, title]) =>
    places.map((place) => [`${kind}-${place}`, latestTitle(place, title)] as const),
  );
  const fitting = named.filter(([, title]) => title.includes(term));
  return rawAnswer(mapOf(fitting.map(([key, title]) => [key, { title, group: groupOf(key) }])));
}

export function showEntity(call: Call<Model>): Answer {
  const [from, wanted] = [source.of(call) ?? '', entityId.of(call) ?? ''];
  if (!isSource(from) || from === 'site') return rawAnswer('');
  if (from === 'latest-post') {
    const named = placeIn(wanted);
    const title = kindNames(call.model).find(([kind]) => kind === named?.kind)?.[1];
    return rawAnswer(named === null || title === undefined ? '' : latestTitle(named.place, title));
  }
  const row = entryOf(from, wanted, call);
  return rawAnswer(row === null ? '' : labelOf(row));
}

const places = Array.from({ length: maxLatest }, (_, index) => index + 1);

function latestTitle(place: number, title: string): string {
  return `${place}${endings.get(place) ?? 'th'} Latest ${title}`;
}

const endings = new Map([
  [1, 'st'],
  [2, 'nd'],
  [3, 'rd'],
]);

function groupOf(key: string): string {
  const [kind = ''] = key.split('-');
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`;
}

/** Matching entries, newest first; an id also finds its entry. */
function otherPosts(term: string, { model, viewer }: Call<Model>): readonly EntryRow[] {
  const byId = /^\d{1,15}$/.test(term) ? (model.entry(Number(term)) ?? []) : [];
  const found = kindNames(model).flatMap(([kind]) => {
    const query = {
      kind,
      statuses: [{ status: 'publish' }],
      orderBy: 'date',
      order: 'desc',
      offset: 0,
      limit: maxFound,
    } as const;
    return model
      .present()
      .find({ ...query, ...searchFor(term, { columns: ['title'] }) })
      .ids.flatMap((each) => model.entry(each) ?? []);
  });
  const newest = found.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id));
  const all = new Map([byId, newest].flat().map((row) => [row.id, row]));
  return [...all.values()].filter((row) => canReadEntry(viewer, row)).slice(0, maxFound);
}

function labelOf(row: EntryRow): string {
  return `${titleOf(row) || 'Untitled'} (#${row.id})`;
}

function described<F>(fields: ReadonlyMap<string, DynamicField<F>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...fields].map(([name, { value: _, ...field }]) => [name, field]));
}

function mapOf(members: readonly (readonly [string, unknown])[]): unknown {
  return members.length === 0 ? [] : Object.fromEntries(members);
}
