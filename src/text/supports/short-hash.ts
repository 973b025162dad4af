import { createHash } from 'node:crypto';
import { encodeJson, type JsonValue } from '../ordered-json.ts';

/** Eight hexadecimal digits, the same for the same value. */
export function shortHash(value: JsonValue): string {
  return createHash('md5').update(encodeJson(value)).digest('hex').slice(0, 8);
}
