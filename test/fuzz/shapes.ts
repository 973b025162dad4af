import fc from 'fast-check';
import type { As } from '../support/site.ts';
import { type FittingArg, fitting } from './fitting.ts';

/** The part of a route that the fuzz uses. It comes from the route table, so that new routes are covered at once. */
export interface Target {
  readonly pattern: string;
  /** Names of the parameters of all its endpoints. */
  readonly names: readonly string[];
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: readonly FittingArg[] }[];
}

export interface FuzzedRequest {
  /** `token`: a program of an administrator; `session`: an administrator who has logged in at the audit pages. */
  readonly as: As | 'token' | 'session';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const everywhere = ['_fields', '_embed', '_envelope', 'context', 'page', 'as_of', 'unknown'];
const words = ['view', 'edit', 'publish', 'draft', 'asc', 'title', 'date', 'true', '1', '0', '-1', '2,3', 'x', ''];
const nasty = [
  '\0',
  'a\0b',
  '1e400',
  '9'.repeat(30),
  '9999-12-31T23:59:59',
  '%00',
  '__proto__',
  '<p>',
  '😀',
  'e\u0301\u0302',
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words, ...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('x', '[', ',', '1,', '<p>', '-a ', '%'), fc.nat(60_000)).map(repeated),
  },
);
const odd = fc.oneof(
  text,
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    -1,
    0.5,
    1e20,
    [],
    {},
    [null],
    [[]],
    { toString: 'x' },
    { raw: 'x' },
    { 0: 1 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.nat(5000).map((count) => Array<number>(count).fill(1)),
);

const as = fc.constantFrom(
  ...(['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const),
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constant('GET') },
  { weight: 4, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PROPFIND') },
);
const boundary = fc.constantFrom('b', 'b', '"b"', '');
const headers = fc.record(
  {
    accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'x'),
    'accept-encoding': fc.constantFrom('gzip', 'gzip;q=0', '*'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"', ','),
    'if-match': fc.constantFrom('*', '"1"', ''),
    'idempotency-key': fc.constantFrom('a', 'b', 'a b', ''),
    'content-disposition': fc.constantFrom('attachment; filename=x.txt', 'attachment; filename="', 'x'),
    'content-md5': fc.constantFrom('x', '0'.repeat(32)),
    origin: fc.constantFrom('http://x', 'null', ''),
    range: fc.constantFrom('bytes=0-', 'bytes=5-1', 'x'),
    'x-cms-position': fc.constantFrom('0', '1', 'x', '-1'),
    'x-http-method-override': fc.constantFrom('PUT', 'delete', 'GET', 'BREW', ''),
    'x-forwarded-proto': fc.constantFrom('https', 'x'),
  },
  { requiredKeys: [] },
);

/** Few requests have odd headers, which would make the server refuse most of them. */
const moreHeaders = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers });

/** Requests to all routes and to near misses of their addresses; half of them have matching parameters. */
export function requestTo(targets: readonly Target[]): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(anyRequest(targets), fittingRequest(targets));
}

function fittingRequest(targets: readonly Target[]): fc.Arbitrary<FuzzedRequest> {
  const writer = fc.constantFrom<FuzzedRequest['as']>(
    'administrator',
    'administrator',
    'editor',
    'author',
    'anonymous',
  );
  const endpoints = targets.flatMap(({ pattern, endpoints: all }) => all.map((endpoint) => ({ pattern, ...endpoint })));
  // Writes occur twice as often.
  const weighed = endpoints.flatMap((one) => (one.methods.includes('GET') ? [one] : [one, one]));
  return fc.constantFrom(...weighed).chain(({ pattern, methods, args }) => {
    const needed = args.filter(({ schema }) => schema.required === true);
    const others = args.filter(({ schema }) => schema.required !== true);
    return fc.subarray(others, { maxLength: Math.min(3, others.length) }).chain((some) => {
      const params = fc.tuple(
        ...[...needed, ...some].map((arg) => fitting(arg).map((value) => [arg.name, value] as const)),
      );
      const sent = fc.record({ as: writer, method: fc.constantFrom(...methods), path: segments(pattern), params });
      return sent.map((request) => {
        if (request.method !== 'GET') return withBody(request);
        const query = request.params.map(([name, value]) => `${encoded(name)}=${encoded(plain(value))}`).join('&');
        const { as, method, path } = request;
        return { as, method, path: `/cms-json${path}?${query.slice(0, 10_000)}`, headers: {}, body: Buffer.alloc(0) };
      });
    });
  });
}

interface Asked {
  readonly as: FuzzedRequest['as'];
  readonly method: string;
  readonly path: string;
  readonly params: readonly (readonly [string, unknown])[];
}

function withBody({ as, method, path, params }: Asked): FuzzedRequest {
  const body = Buffer.from(JSON.stringify(Object.fromEntries(params)));
  return { as, method, path: `/cms-json${path}`, headers: { 'content-type': 'application/json' }, body };
}

function plain(value: unknown): string {
  return Array.isArray(value) ? value.map(asText).join(',') : asText(value);
}

function anyRequest(targets: readonly Target[]): fc.Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...targets).chain((target) => {
    const name = fc.constantFrom(...target.names, ...everywhere);
    const params = fc.array(fc.tuple(name, odd), { maxLength: 5 });
    const sent = fc.record({
      as,
      method,
      path: pathOf(target.pattern),
      params,
      query: queryOf(name),
      more: moreHeaders,
    });
    return sent.chain(({ path, query, more, params: given, ...rest }) =>
      bodyOf(given).map(({ type, bytes }) => {
        const content: Record<string, string> = type === '' ? {} : { 'content-type': type };
        const whole = `/cms-json${path}${query === '' ? '' : `?${query.slice(0, 10_000)}`}`;
        return { ...rest, path: whole, headers: { ...more, ...content }, body: bytes };
      }),
    );
  });
}

const group = /\(\?P<\w+>((?:\[[^\]]*\]|\\.|[^()[\]]|\((?:[^()]*)\))*)\)/g;

function segments(pattern: string): fc.Arbitrary<string> {
  const parts = pattern.split(group);
  const made = parts.map((part, index) => (index % 2 === 0 ? fc.constant(part) : segment(part)));
  return fc.tuple(...made).map((all) => all.join(''));
}

function pathOf(pattern: string): fc.Arbitrary<string> {
  const path = segments(pattern);
  const nearly = fc
    .tuple(path, fc.constantFrom('/', '/x', '%00', '//', '/%2f', '%ff', '/..'))
    .map((all) => all.join(''));
  return fc.oneof({ weight: 9, arbitrary: path }, { weight: 1, arbitrary: nearly });
}

function segment(expression: string): fc.Arbitrary<string> {
  const known = fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '0', '99999999999999999999', 'me');
  if (/\\d/.test(expression)) return known;
  const fitting = fc.string({ maxLength: 8 }).map(encodeURIComponent);
  return fc.oneof(known, fitting, fc.constantFrom('publish', 'post', 'category', 'a-b_c', 'x%00'));
}

function queryOf(name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const suffix = fc.constantFrom('', '', '[]', '[0]', '[x]', '[terms][]', '[toString]', '[', '[]]');
  const pair = fc.tuple(name, suffix, text).map(([one, more, value]) => `${one}${more}=${encoded(value)}`);
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));
}

function bodyOf(params: readonly (readonly [string, unknown])[]): fc.Arbitrary<{ type: string; bytes: Buffer }> {
  const json = Buffer.from(JSON.stringify(Object.fromEntries(params)));
  const form = Buffer.from(params.map(([name, value]) => `${name}=${encoded(asText(value))}`).join('&'));
  const cut = fc.nat(20);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ type: '', bytes: Buffer.alloc(0) }) },
    { weight: 5, arbitrary: fc.constant({ type: 'application/json', bytes: json }) },
    { weight: 1, arbitrary: cut.map((size) => ({ type: 'application/json', bytes: json.subarray(0, -size - 1) })) },
    { weight: 2, arbitrary: fc.constant({ type: 'application/x-www-form-urlencoded', bytes: form }) },
    { weight: 3, arbitrary: multipartOf(params) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 99 }).map((raw) => ({ type: 'text/plain', bytes: Buffer.from(raw) })),
    },
  );
}

function multipartOf(params: readonly (readonly [string, unknown])[]): fc.Arbitrary<{ type: string; bytes: Buffer }> {
  const head = fc.constantFrom(
    'Content-Disposition: form-data; name="%"',
    'Content-Disposition: form-data; name="%"; filename="x.txt"',
    'Content-Disposition: form-data; name="file"; filename="e\u0301\u0302.txt"\r\nContent-Type: image/png',
    'Content-Disposition: form-data',
    "Content-Disposition: form-data; filename*=utf-8''%25ff",
    'Content-Disposition: attachment; name="%"',
    'Content-Type: multipart/mixed; boundary=b',
    '',
  );
  const end = fc.constantFrom('--b--\r\n', '--b--', '--b', '');
  const heads = fc.array(head, { minLength: params.length, maxLength: params.length });
  return fc.tuple(boundary, heads, end).map(([mark, all, last]) => {
    const parts = params.map(([name, value], i) => `--b\r\n${all[i]?.replace('%', name)}\r\n\r\n${asText(value)}\r\n`);
    return { type: `multipart/form-data; boundary=${mark}`, bytes: Buffer.from(parts.join('') + last) };
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function repeated([piece, count]: [string, number]): string {
  return piece.repeat(count);
}
