import fc from 'fast-check';
import type { FuzzedRequest } from './shapes.ts';

/** Requests to places outside the route table: pages for people, audit pages, files, feeds and the endpoint for programs. */
export function requestToPlaces(tools: readonly string[]): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(
    { weight: 4, arbitrary: page },
    { weight: 2, arbitrary: form },
    { weight: 3, arbitrary: auditPage },
    { weight: 1, arbitrary: authorization },
    { weight: 1, arbitrary: file },
    { weight: 1, arbitrary: feed },
    { weight: 3, arbitrary: message(tools) },
  );
}

const NOTHING = Buffer.alloc(0);
const person = fc.constantFrom<FuzzedRequest['as']>('anonymous', 'subscriber', 'administrator');
const reading = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT');

const text = fc.oneof(
  fc.constantFrom(
    'One',
    'x',
    '1',
    '3',
    '0',
    '-1',
    '99999999999999999999',
    'p',
    '',
    ' ',
    '%',
    'ä',
    '\u{1f600}',
    '\0',
    '<b>',
  ),
  fc.constantFrom(
    'a\u0301\u0302',
    '"two words"',
    '-x one',
    '__proto__',
    'http://[',
    '//x',
    '../..',
    '2026-03-01',
    '2026-13-99',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .tuple(fc.constantFrom('x', '[', ',', 'a ', '"a ', '%', '/'), fc.nat(8000))
    .map(([piece, count]) => piece.repeat(count)),
);
const encoded = (value: string) => encodeURIComponent(value.toWellFormed());
/** Escapes that no encoder produces. */
const broken = fc.constantFrom('%', '%0', '%00', '%c0%af', '%ff%fe', '%ed%a0%80', '%2f', '%5c', '%25%30', '+');
const escaped = fc.oneof({ weight: 4, arbitrary: text.map(encoded) }, { weight: 1, arbitrary: broken });

function query(names: readonly string[]): fc.Arbitrary<string> {
  const suffix = fc.constantFrom('', '', '', '[]', '[x]', '[toString]', '[');
  const pair = fc
    .tuple(fc.constantFrom(...names), suffix, escaped)
    .map(([name, more, value]) => `${name}${more}=${value}`);
  return fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 12_000)}`));
}

function request(method: string, path: string, more: Partial<FuzzedRequest> = {}): FuzzedRequest {
  return { as: 'anonymous', method, path: path.slice(0, 14_000), headers: {}, body: NOTHING, ...more };
}

const folder = fc.constantFrom(
  ...[
    '/',
    '/one/',
    '/one',
    '/page/',
    '/page/page/2/',
    '/one/embed/',
    '/embed/',
    '/feed/',
    '/one/feed/',
    '/comments/feed/',
  ],
  ...[
    '/page/2/',
    '/page/9999999/',
    '/author/author/',
    '/tag/tag/',
    '/category/uncategorized/',
    '/type/aside/',
    '/index.php',
  ],
  ...[
    '/sitemap.xml',
    '/sitemap-posts-1.xml',
    '/robots.txt',
    '/llms.txt',
    '/favicon.ico',
    '/2026/03/01/one/',
    '//one/',
    '/./one/',
  ],
  ...[
    `/shared-designs/${'a'.repeat(64)}/`,
    `/avatar/${'0'.repeat(32)}`,
    `/avatar/${'F'.repeat(64)}`,
    '/cms-audit',
    '/cms-jsonx',
  ],
);
const path = fc.oneof(
  { weight: 4, arbitrary: folder },
  { weight: 1, arbitrary: fc.array(escaped, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: fc.tuple(folder, escaped).map(([start, end]) => start + end) },
);
const pageQuery = query([
  ...['s', 'p', 'page_id', 'attachment_id', 'rest_route', 'embed', 'replytocom', 'comment', 'message', 'paged', 'feed'],
  ...['preview', 'as_of', 'size', 'unknown', '__proto__'],
]);
const page = fc
  .tuple(reading, path, pageQuery, person)
  .map(([method, at, asked, as]) => request(method, at + asked, { as }));

function formBody(names: readonly string[]): fc.Arbitrary<Buffer> {
  const pair = fc.tuple(fc.constantFrom(...names), escaped).map(([name, value]) => `${name}=${value}`);
  return fc.array(pair, { maxLength: 7 }).map((pairs) => Buffer.from(pairs.join('&')));
}

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const form = fc
  .tuple(
    fc.constantFrom('/one/', '/page/', '/', '/missing/', '/cms-json/contact-forms/v1/messages'),
    formBody([
      ...['post', 'parent', 'author_name', 'author_email', 'author_url', 'content', 'password', 'form', 'post[x]'],
      ...['form_id', 'name', 'email', 'subject', 'message', 'website'],
    ]),
    fc.constantFrom('form=comment&', 'form=comment&post=1&content=x&author_name=x&author_email=a@b.example&', ''),
  )
  .map(([at, body, start]) =>
    request('POST', at, { headers: FORM_TYPE, body: Buffer.concat([Buffer.from(start), body]) }),
  );

const thing = fc.oneof(
  fc.constantFrom('entry-1', 'entry-2', 'user-1', 'term-1', 'media-1', 'site', 'comment-1', 'entry-0', 'hooks'),
  escaped,
);
const auditPath = fc.oneof(
  fc.constantFrom('', 'day', 'events', 'messages', 'messages.csv', 'health', 'login', 'logout', 'things/', 'a/b/c/d'),
  fc.tuple(thing, fc.constantFrom('', '/changes', '/at', '/')).map(([name, end]) => `things/${name}${end}`),
);
const auditQuery = query([
  ...[
    'date',
    'kind',
    'status',
    'from',
    'to',
    'by',
    'who',
    'what',
    'before',
    'after',
    'position',
    'at',
    'user',
    'until',
    'since',
  ],
]);
const auditPage = fc
  .tuple(
    fc.constantFrom<FuzzedRequest['as']>('session', 'session', 'session', 'administrator', 'editor', 'anonymous'),
    fc.oneof({ weight: 5, arbitrary: reading }, { weight: 1, arbitrary: fc.constant('POST') }),
    auditPath,
    auditQuery,
    formBody(['token', 'to', 'login', 'password']),
  )
  // A successful log-out would make the remaining requests anonymous.
  .filter(([as, method, at]) => as !== 'session' || method !== 'POST' || at !== 'logout')
  .map(([as, method, at, asked, body]) =>
    request(method, `/cms-audit/${at}${asked}`, method === 'POST' ? { as, headers: FORM_TYPE, body } : { as }),
  );

const authorization = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE'),
    query(['app_name', 'app_id', 'success_url', 'reject_url', 'unknown']),
    formBody(['token', 'do', 'login', 'password', 'name']),
  )
  .map(([method, asked, body]) =>
    request(method, `/authorize-application${asked}`, method === 'POST' ? { headers: FORM_TYPE, body } : {}),
  );

const file = fc
  .tuple(
    reading,
    fc.oneof(
      fc.constantFrom('picture.png', '2026/03/picture.png', '2026/03/', '..%2f..%2flog.db', '../log.db'),
      escaped,
    ),
    fc.record(
      {
        range: fc.constantFrom(
          'bytes=0-',
          'bytes=-1',
          'bytes=5-1',
          'bytes=0-0,2-3',
          'bytes=99999999999999999999-',
          'x',
        ),
        'if-range': fc.constantFrom('"x"', 'Sun, 01 Mar 2026 11:00:00 GMT', ''),
        'if-none-match': fc.constantFrom('*', '"x"', 'W/'),
        accept: fc.constantFrom('image/avif', 'image/webp;q=0', ',;='),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([method, name, headers]) => request(method, `/uploads/${name}`, { headers }));

const feed = fc
  .tuple(
    person,
    query(['after', 'wait', 'resources', 'limit', 'per_page', 'as_of']),
    fc.constantFrom('', '0', '1', '-1', 'x'),
  )
  .map(([as, asked, last]) =>
    request('GET', `/cms-json/cms/v2/changes${asked}`, {
      as,
      headers: { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) },
    }),
  );

function message(tools: readonly string[]): fc.Arbitrary<FuzzedRequest> {
  const value = fc.oneof(
    text,
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(1, 2, null, true, { toString: 1 }),
  );
  const sent = fc.dictionary(
    fc.constantFrom(
      'id',
      'parent',
      'title',
      'content',
      'status',
      'search',
      'per_page',
      '_fields',
      'as_of',
      '__proto__',
    ),
    value,
    { maxKeys: 4 },
  );
  const call = fc.record({
    name: fc.constantFrom(...tools, 'x', ''),
    arguments: fc.oneof(sent, fc.jsonValue({ maxDepth: 1 })),
  });
  const method = fc.constantFrom('tools/call', 'tools/call', 'tools/call', 'tools/list', 'initialize', 'ping', 'x', '');
  const id = fc.constantFrom<unknown>(1, 1, 'a', null, -1, 0.5, {}, undefined);
  const whole = fc.record({
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
    id,
    method,
    params: fc.oneof(call, value),
  });
  const body = fc.oneof(
    { weight: 6, arbitrary: whole.map((one) => JSON.stringify(one)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom('', '{', '[]', 'null', '\u0000', '[{"jsonrpc":"2.0"}]') },
  );
  const headers = fc.record({
    accept: fc.constantFrom('application/json, text/event-stream', '*/*', 'text/html'),
    'content-type': fc.constantFrom('application/json', 'application/json', 'text/plain'),
    'mcp-protocol-version': fc.constantFrom('2025-06-18', 'x'),
  });
  const as = fc.constantFrom<FuzzedRequest['as']>('token', 'token', 'token', 'administrator', 'anonymous');
  return fc
    .tuple(as, fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'DELETE'), body, headers)
    .map(([who, how, bytes, own]) =>
      request(how, '/cms-json/mcp', { as: who, headers: own, body: how === 'POST' ? Buffer.from(bytes) : NOTHING }),
    );
}
