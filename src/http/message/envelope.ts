import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { asciiJson, type JsonText } from '#text/json.ts';

const NAME = /^[\w.]*$/;

/** Wraps a response as a JSON value: body, status and headers. */
export function envelope(body: JsonText, status: number, headers: Readonly<Record<string, string>>): JsonText {
  const shown = Object.entries(headers).map(([name, value]) => [name, COUNTED.test(name) ? Number(value) : value]);
  return `{"body":${body},"status":${status},"headers":${asciiJson(Object.fromEntries(shown))}}`;
}

/** Names of headers that are numbers, whatever they begin with. */
const COUNTED = /-Total(?:Pages)?$/;

/** Headers for an envelope: those of the response and its `Allow`. */
export function envelopeHeaders(
  headers: Readonly<Record<string, string>>,
  allow: string | null,
): Readonly<Record<string, string>> {
  return allow === null ? headers : { ...headers, Allow: allow };
}

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
