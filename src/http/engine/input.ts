import type { Refusal } from '#domain/kernel/refusal.ts';
import { type Params, parseQuery } from '#text/query-string.ts';
import type { HeaderNames } from '../message/headers.ts';
import { type ParsedJson, parseJsonBody, type UnreadBody } from '../message/json-body.ts';
import type { SentFile } from '../message/multipart.ts';
import { parseMultipart } from '../message/multipart.ts';
import type { PostAttempt, Sent } from './types.ts';
import type { Waits } from './waits.ts';

export interface RawRequest {
  readonly method: string;
  /** Path below the route root, percent-decoded. */
  readonly path: string;
  /** Query string without its question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** The body of an upload, which is read while files are received. */
  readonly unread?: UnreadBody;
  readonly peer?: string;
  /** See `Sent`. */
  readonly attempt?: PostAttempt;
  /** See `Sent`. */
  readonly waits?: Waits;
  /** See `Sent`. Absent: the request is never aborted. */
  readonly gone?: () => AbortSignal;
}

export interface Input {
  /** In upper case; an override replaces the method of the request line. */
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Sources of parameters by precedence: JSON body, form body, query string. Path parameters come last. */
  readonly sources: readonly Readonly<Record<string, unknown>>[];
  /** Set if a JSON or form body is malformed. */
  readonly broken: Refusal | null;
  readonly sent: Sent;
}

export interface InputParts {
  readonly json?: Readonly<Record<string, unknown>> | null;
  readonly form?: Params;
  readonly files?: readonly SentFile[];
  readonly broken?: Refusal;
}

const NO_FILES: readonly SentFile[] = [];
const never = new AbortController().signal;
const stays = () => never;
const NOTHING_SENT: Omit<Sent, 'once'> = {
  header: () => undefined,
  body: Buffer.alloc(0),
  peer: '',
  files: NO_FILES,
  gone: stays,
};

/** The reason why `gone` is aborted when the server closes: what clients have asked for is still answered. */
export const closing = Symbol('the server closes');

/** Returns a function that tells whether the client has disconnected. */
export function hasGone({ gone }: Pick<Sent, 'gone'>): () => boolean {
  return () => gone().aborted && gone().reason !== closing;
}

/** Reads a request, asynchronously only for multipart and long JSON bodies. `query`: the parsed query string. */
export function readInput(raw: RawRequest, query = parseQuery(raw.query)): Input | Promise<Input> {
  if (raw.body.length === 0) return inputOf(raw, {}, query);
  const type = headerIn(raw.headers, 'content-type') ?? '';
  const media = mediaOf(type);
  if (isJson(media)) {
    const parsed = parseJsonBody(raw.body);
    const input = (read: ParsedJson) => inputOf(raw, jsonParts(read), query);
    return parsed instanceof Promise ? parsed.then(input) : input(parsed);
  }
  if (media === 'application/x-www-form-urlencoded')
    return inputOf(raw, { form: parseQuery(raw.body.toString('utf8')) }, query);
  if (media !== 'multipart/form-data') return inputOf(raw, {}, query);
  return parseMultipart(raw.body, type).then((parts) => inputOf(raw, parts, query));
}

export function jsonParts(parsed: ParsedJson): InputParts {
  return 'refusal' in parsed ? { broken: parsed.refusal } : { json: parsed.params };
}

/** The method of a request, as far as it is known without the body. */
export function methodOf({ method, headers }: RawRequest, query: Params): string {
  return overriddenMethod(query, (name) => headerIn(headers, name)) ?? method;
}

export function withParts(input: Input, { json, form, broken }: InputParts): Input {
  const own = [json, form].filter((source) => source !== undefined && source !== null);
  return { ...input, sources: [...own, ...input.sources], broken: broken ?? input.broken };
}

/** A content type without its parameters. */
export function mediaOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

export function innerInput(request: {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly header?: Sent['header'];
}): Input {
  const { method, path, query, json, header } = request;
  return {
    method,
    path,
    query,
    sources: json === undefined ? [query] : [json, query],
    broken: null,
    sent: { ...NOTHING_SENT, once: new Map(), ...(header === undefined ? {} : { header }) },
  };
}

/** The value of a header; the first one if it was sent several times. */
export function headerIn(headers: RawRequest['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

export function inputOf(
  { method, path, query: text, headers, body, peer = '', gone = stays, attempt, waits }: RawRequest,
  { json, form, files, broken }: InputParts,
  query = parseQuery(text),
): Input {
  const header = (name: string) => headerIn(headers, name);
  const sources: Readonly<Record<string, unknown>>[] = [query];
  if (form !== undefined) sources.unshift(form);
  if (json !== undefined && json !== null) sources.unshift(json);
  return {
    method: overriddenMethod(query, header) ?? method,
    path,
    query,
    sources,
    broken: broken ?? null,
    sent: {
      header,
      body,
      peer,
      files: files ?? NO_FILES,
      gone,
      once: new Map(),
      ...(attempt && { attempt }),
      ...(waits && { waits }),
    },
  };
}

/** Any request may override its method; the parameter takes precedence over the header. */
function overriddenMethod(query: Params, header: Sent['header']): string | undefined {
  const named = query['_method'] ?? header('x-http-method-override');
  return typeof named === 'string' ? named.toUpperCase() : undefined;
}

export function isJson(media: string): boolean {
  return media === 'application/json' || (media.startsWith('application/') && media.endsWith('+json'));
}

/** Whether a request is a read whatever its body and headers say. */
export function isPlainRead({ method, body, headers }: RawRequest, { nonce }: HeaderNames): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    body.length === 0 &&
    headers['x-http-method-override'] === undefined &&
    headers[nonce] === undefined
  );
}
