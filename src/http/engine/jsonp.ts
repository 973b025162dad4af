import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { JsonText } from '#text/json.ts';

const NAME = /^[\w.]*$/;

/** The callback name in `_jsonp`; null if there is none. */
export function jsonpName(value: unknown): string | null | Refusal {
  if (value === undefined || value === '') return null;
  if (typeof value === 'string' && NAME.test(value)) return value;
  return refuse('rest_callback_invalid', 'Invalid JSONP callback function.');
}

export function jsonpText(name: string, text: JsonText): string {
  return `/**/${name}(${text})`;
}

export const JSONP_TYPE = 'application/javascript; charset=UTF-8';
