import { type PluginCall, type PluginReader, parseQuery, reply, z } from 'palimpsest/plugin';
import { strictParam } from '../fields.ts';
import type { Arguments } from './arguments.ts';
import { type DynamicField, dynamicSiteFields, entryFields, metaFields } from './fields.ts';
import { entryOf, isSource, type SourceName } from './sources.ts';

export const fieldData = strictParam('field_data', z.string().max(4000), { required: true });

export function showContent(call: PluginCall<PluginReader>) {
  const wanted = parse(fieldData.of(call) ?? '');
  if (wanted === null) return reply({ error: 'The field is not named as source/field.' });
  const { source, name, id, args } = wanted;
  if (source === 'site') return shown(dynamicSiteFields.get(name), (field) => field.value({ call, args }));
  if (id === '' || id === 'current') return reply({ error: 'There is no post to take the field from.' });
  const found = entryOf(source, id, call);
  const [entry, seen] = found === null ? [] : [call.model.entry(found), call.view.entry(found)];
  if (entry === undefined || seen === undefined) return reply({ error: 'There is no such post.' });
  const isLocked = entry.isProtected && !call.mayEdit(entry.id);
  const field = entryFields.get(name) ?? metaFields(entry.id, call).get(name);
  if (isLocked && (name === 'post-excerpt' || !entryFields.has(name)) && field !== undefined) return reply('');
  return shown(field, (each) => each.value({ call, args, entry, seen, isLocked }));
}

interface Wanted {
  readonly source: SourceName;
  readonly name: string;
  readonly id: string;
  readonly args: Arguments;
}

/** Parses `source/field[/id][?args]`. */
function parse(text: string): Wanted | null {
  const [path = '', query = ''] = text.split(/\?(.*)/s);
  const [source = '', name = '', id = '', ...rest] = path.split('/');
  if (!isSource(source) || name === '' || rest.length > 0) return null;
  return { source, name, id, args: parseQuery(query) };
}

function shown<F>(field: DynamicField<F> | undefined, read: (field: DynamicField<F>) => string | null) {
  if (field === undefined) return reply({ error: 'There is no such field.' });
  const value = read(field);
  if (value === null) return reply({ error: 'The arguments of the field make no sense, or there are too few.' });
  return reply(value === '' ? `${field.title} Placeholder` : value);
}
