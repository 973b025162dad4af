import { type PluginCall, type PluginReader, reply, z } from 'palimpsest/plugin';
import { strictParam } from '../fields.ts';
import { type DynamicField, dynamicSiteFields, entryFields, metaFields } from './fields.ts';
import { entryOf, isSource, kindNames, maxLatest, placeIn, sources } from './sources.ts';

type Call = PluginCall<PluginReader>;

const id = z.union([z.string().max(200), z.int()]).transform(String);

export const source = strictParam('source', z.string().max(200), { required: true });
export const anyId = strictParam('id', id);
export const entityId = strictParam('id', id, { required: true });
export const searchTerm = strictParam('search_term', z.string().max(1000));

const maxFound = 5;

export function listSources() {
  return reply(sources);
}

export function listFields(call: Call) {
  const from = source.of(call) ?? '';
  if (!isSource(from)) return reply([]);
  if (from === 'site') return reply(described(dynamicSiteFields));
  const entry = entryOf(from, anyId.of(call) ?? '', call);
  return reply({ ...described(entryFields), ...(entry === null ? {} : described(metaFields(entry, call))) });
}

export function searchEntities(call: Call) {
  const [from, term] = [source.of(call), searchTerm.of(call) ?? ''];
  if (from === 'other-posts') return reply(mapOf(otherPosts(term, call).map((id) => [String(id), labelOf(id, call)])));
  if (from !== 'latest-post') return reply([]);
  const named = kindNames(call).flatMap(([kind, title]) =>
    places.map((place) => [`${kind}-${place}`, latestTitle(place, title)] as const),
  );
  const fitting = named.filter(([, title]) => title.includes(term));
  return reply(mapOf(fitting.map(([key, title]) => [key, { title, group: groupOf(key) }])));
}

export function showEntity(call: Call) {
  const [from, wanted] = [source.of(call) ?? '', entityId.of(call) ?? ''];
  if (!isSource(from) || from === 'site') return reply('');
  if (from === 'latest-post') {
    const named = placeIn(wanted);
    const title = kindNames(call).find(([kind]) => kind === named?.kind)?.[1];
    return reply(named === null || title === undefined ? '' : latestTitle(named.place, title));
  }
  const entry = entryOf(from, wanted, call);
  return reply(entry === null ? '' : labelOf(entry, call));
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
function otherPosts(term: string, call: Call): readonly number[] {
  const { model } = call;
  const byId = /^\d{1,15}$/.test(term) ? (model.entry(Number(term)) ?? []) : [];
  const search = { text: term, columns: ['title'] as const };
  const found = kindNames(call).flatMap(([kind]) => model.find({ kind, search, limit: maxFound }).ids);
  const newest = found
    .flatMap((each) => model.entry(each) ?? [])
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id));
  const all = new Set([byId, newest].flat().map((entry) => entry.id));
  return [...all].filter(call.mayRead).slice(0, maxFound);
}

function labelOf(entry: number, { view }: Call): string {
  return `${view.entry(entry)?.title || 'Untitled'} (#${entry})`;
}

function described<F>(fields: ReadonlyMap<string, DynamicField<F>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...fields].map(([name, { value: _, ...field }]) => [name, field]));
}

function mapOf(members: readonly (readonly [string, unknown])[]): unknown {
  return members.length === 0 ? [] : Object.fromEntries(members);
}
