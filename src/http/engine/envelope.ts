import { asciiJson } from '#text/json.ts';
import type { JsonText } from './types.ts';

/** An answer as a value in another answer: its body, status and headers. */
export function envelope(body: JsonText, status: number, headers: Readonly<Record<string, string>>): JsonText {
  return `{"body":${body},"status":${status},"headers":${asciiJson(headers)}}`;
}

/** Headers of an answer together with its `Allow`, as an envelope holds them. */
export function envelopeHeaders(
  headers: Readonly<Record<string, string>>,
  allow: string | null,
): Readonly<Record<string, string>> {
  return allow === null ? headers : { ...headers, Allow: allow };
}
