import { partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { NamedTerm } from '#projections/terms/definition.ts';
import { termsByName } from '#site/entries/classes.ts';
import { plain } from '#site/rendering/posts.ts';
import { canReadEntry } from '#site/rights.ts';
import { isRecord } from '#text/shapes.ts';
import { idFrom } from '../../../engine/call.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { metaOf } from '../kit/meta.ts';

interface Option {
  readonly value: string | number;
  readonly label: string;
}

/** The options in a field of a post or of the site; `''` for none. */
export function listFieldset(call: Call<Model>): Answer {
  const { model, params } = call;
  const [name, source] = [String(params['meta_key']), params['source']];
  const row = postIn(call);
  if (source === 'site') return rawAnswer(optionsIn(own(model.site(), name)));
  return rawAnswer(source === 'undefined' && row !== null ? optionsIn(metaOf(row).get(name)) : '');
}

const fields = [
  { name: 'description', title: 'Description', type: 'textarea' },
  { name: 'slug', title: 'Slug', type: 'text' },
  { name: 'count', title: 'Count', type: 'number' },
];

export function listEngine(call: Call<Model>): Answer {
  const { model, params } = call;
  const row = postIn(call);
  const ids = row === null ? [] : params['taxonomy'] === 'category' ? row.categories : ofTags(row, params['taxonomy']);
  const terms = termsByName(ids, model);
  if (terms.length === 0) return rawAnswer({ isEngineField: false });
  const choices = terms.flatMap((term) => fields.map((field) => choiceOf(term, field)));
  return rawAnswer({ isEngineField: true, terms: [{ label: 'None', value: 0, field: 'none' }, ...choices] });
}

export function listAttributes(call: Call<Model>): Answer {
  const row = postIn(call);
  const attributes = (row && partOf(productPart, row)?.attributes) ?? [];
  return rawAnswer(attributes.map(({ name, label }) => ({ label, value: name })));
}

function postIn({ model, viewer, params }: Call<Model>): EntryRow | null {
  const row = model.entry(idFrom(params['post_id']));
  return row !== undefined && canReadEntry(viewer, row) ? row : null;
}

function ofTags({ tags }: EntryRow, taxonomy: unknown): readonly number[] {
  return taxonomy === 'post_tag' ? tags : [];
}

function choiceOf({ id, name }: NamedTerm, field: (typeof fields)[number]): Record<string, unknown> {
  return { label: `${plain(name)} - ${field.title}`, value: [id, field.name, field.type] };
}

function own(settings: object, name: string): unknown {
  return Object.entries(settings).find(([key]) => key === name)?.[1];
}

function optionsIn(value: unknown): readonly Option[] | '' {
  const parsed = typeof value === 'string' ? listIn(value) : value;
  if (Array.isArray(parsed)) {
    return parsed.length === 0
      ? ''
      : parsed.map((item, index) => ({ value: index, label: textOf(item) || String(index) }));
  }
  if (!isRecord(parsed)) return '';
  const options = Object.entries(parsed).map(([key, item]) => ({ value: key, label: textOf(item) || key }));
  return options.length === 0 ? '' : options;
}

/** A list or map stored as JSON; null for anything else, which has no options. */
function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOf(item: unknown): string {
  if (typeof item === 'string' || typeof item === 'number') return plain(String(item));
  if (!isRecord(item)) return '';
  const named = ['label', 'content', 'title', 'name'].map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  return plain(named.find((text) => typeof text === 'string' && text !== '')?.toString() ?? '');
}
