import { hash } from 'node:crypto';
import { encodeJson, type JsonValue } from '../ordered-json.ts';

/** Cached, since most blocks of a site share a few layouts. */
const known = new Map<string, string>();
const maxKnown = 500;

export function shortHash(value: JsonValue): string {
  const text = encodeJson(value);
  const found = known.get(text);
  if (found !== undefined) return found;
  const made = hash('md5', text, 'hex').slice(0, 8);
  if (known.size >= maxKnown) known.clear();
  if (text.length < 1000) known.set(text, made);
  return made;
}
