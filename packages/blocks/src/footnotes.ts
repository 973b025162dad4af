import { type JsonMap, type JsonValue, parseJson } from './ordered-json.ts';

export interface Footnote {
  readonly id: string;
  readonly content: string;
}

/** Parses footnotes in their stored form; `null` if the text is not a list. */
export function readFootnotes(json: string): Footnote[] | null {
  const value = parseJson(json);
  if (!(value instanceof Map) && !Array.isArray(value)) return null;
  return [...value.values()].filter((item) => item instanceof Map).map(readFootnote);
}

function readFootnote(map: JsonMap): Footnote {
  return { id: asText(map.get('id')), content: asText(map.get('content')) };
}

function asText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'number' in value ? value.number : '';
}
