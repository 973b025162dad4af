import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry } from '#site/rights.ts';
import { parseQuery } from '#text/query-string.ts';
import type { Answer, Call } from '../../../../engine/types.ts';
import { rawAnswer } from '../../kit/envelopes.ts';
import { strict } from '../../kit/field.ts';
import type { Arguments } from './arguments.ts';
import { type DynamicField, dynamicSiteFields, entryFields, metaFields } from './fields.ts';
import { entryOf, isSource, type SourceName } from './sources.ts';

export const fieldData = strict('field_data', z.string().max(4000), { required: true });

export function showContent(call: Call<Model>): Answer {
  const wanted = parse(fieldData.of(call) ?? '');
  if (wanted === null) return rawAnswer({ error: 'The field is not named as source/field.' });
  const { source, name, id, args } = wanted;
  if (source === 'site') return shown(dynamicSiteFields.get(name), (field) => field.value({ ...call, args }));
  if (id === '' || id === 'current') return rawAnswer({ error: 'There is no post to take the field from.' });
  const row = entryOf(source, id, call);
  if (row === null) return rawAnswer({ error: 'There is no such post.' });
  const isLocked = row.password !== '' && !canEditEntry(call.viewer, row);
  const field = entryFields.get(name) ?? metaFields(row).get(name);
  if (isLocked && (name === 'post-excerpt' || !entryFields.has(name)) && field !== undefined) return rawAnswer('');
  return shown(field, (each) => each.value({ ...call, args, row, isLocked }));
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

function shown<F>(field: DynamicField<F> | undefined, read: (field: DynamicField<F>) => string | null): Answer {
  if (field === undefined) return rawAnswer({ error: 'There is no such field.' });
  const value = read(field);
  if (value === null) return rawAnswer({ error: 'The arguments of the field make no sense, or there are too few.' });
  return rawAnswer(value === '' ? `${field.title} Placeholder` : value);
}
