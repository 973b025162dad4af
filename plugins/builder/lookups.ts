import { type EntryView, type PluginCall, type PluginReader, plain, reply } from 'palimpsest/plugin';
import { isMember } from './fields.ts';

interface Option {
  readonly value: string | number;
  readonly label: string;
}

type Call = PluginCall<PluginReader>;

/** The options in a field of a post or of the site; `''` for none. */
export function listFieldset(call: Call) {
  const { model, params } = call;
  const [name, source] = [String(params['meta_key']), params['source']];
  const id = postIn(call);
  if (source === 'site') return reply(optionsIn(model.setting(name)));
  return reply(source === 'undefined' && id !== null ? optionsIn(call.fields(id).get(name)) : '');
}

const fields = [
  { name: 'description', title: 'Description', type: 'textarea' },
  { name: 'slug', title: 'Slug', type: 'text' },
  { name: 'count', title: 'Count', type: 'number' },
];

export function listEngine(call: Call) {
  const { view, params } = call;
  const id = postIn(call);
  const { taxonomy } = params;
  const isKnown = taxonomy === 'category' || taxonomy === 'post_tag';
  const terms = (id !== null && isKnown && view.entry(id)?.terms(taxonomy)) || [];
  if (terms.length === 0) return reply({ isEngineField: false });
  const choices = terms.flatMap((term) => fields.map((field) => choiceOf(term, field)));
  return reply({ isEngineField: true, terms: [{ label: 'None', value: 0, field: 'none' }, ...choices] });
}

export function listAttributes(call: Call) {
  const id = postIn(call);
  const attributes = (id !== null && call.model.entry(id)?.product?.attributes) || [];
  return reply(attributes.map(({ name, label }) => ({ label, value: name })));
}

function postIn({ params, model, mayRead }: Call): number | null {
  const id = Number(params['post_id']);
  return Number.isSafeInteger(id) && model.entry(id) !== undefined && mayRead(id) ? id : null;
}

function choiceOf({ id, name }: ReturnType<EntryView['terms']>[number], field: (typeof fields)[number]) {
  return { label: `${name} - ${field.title}`, value: [id, field.name, field.type] };
}

function optionsIn(value: unknown): readonly Option[] | '' {
  const parsed = typeof value === 'string' ? listIn(value) : value;
  if (Array.isArray(parsed)) {
    return parsed.length === 0
      ? ''
      : parsed.map((item, index) => ({ value: index, label: textOf(item) || String(index) }));
  }
  if (!isMember(parsed)) return '';
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
  if (!isMember(item)) return '';
  const named = ['label', 'content', 'title', 'name'].map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  return plain(named.find((text) => typeof text === 'string' && text !== '')?.toString() ?? '');
}
