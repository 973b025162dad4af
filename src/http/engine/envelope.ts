import { asciiJson, type JsonText } from '#text/json.ts';

/** Wraps a response as a JSON value: body, status and headers. */
export function envelope(body: JsonText, status: number, headers: Readonly<Record<string, string>>): JsonText {
  return `{"body":${body},"status":${status},"headers":${asciiJson(headers)}}`;
}

/** Headers for an envelope: those of the response and its `Allow`. */
export function envelopeHeaders(
  headers: Readonly<Record<string, string>>,
  allow: string | null,
): Readonly<Record<string, string>> {
  return allow === null ? headers : { ...headers, Allow: allow };
}
