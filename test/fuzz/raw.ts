import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';

/** Bytes for a connection, in the pieces in which they are written. */
export interface RawExchange {
  readonly pieces: readonly Buffer[];
  /** The connection afterwards stays open, is half closed, or is cut. */
  readonly end: 'stay' | 'half' | 'cut';
}

const target = fc.constantFrom(
  ...[
    '/',
    '/one/',
    '/cms-json/',
    '/cms-json/cms/v2/posts',
    '/cms-json/cms/v2/posts/1',
    '/cms-json/batch/v1',
    '/uploads/x',
  ],
  ...[
    '/cms-audit/',
    '/cms-json/mcp',
    '*',
    'http://site.example/one/',
    'http://[/authorize-application',
    '//x',
    '/%00',
    '/%c0%af',
  ],
  ...[
    '/?rest_route=/cms/v2/posts',
    '/authorize-application?success_url=x',
    '/\u00ff',
    `/${'x'.repeat(20_000)}`,
    '',
    ' ',
  ],
);
const method = fc.constantFrom(
  'GET',
  'POST',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'DELETE',
  'CONNECT',
  'TRACE',
  'QUERY',
  'BREW',
  'get',
  '',
);
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', '');
const header = fc.constantFrom(
  ...[
    'Host: x',
    'Host: [::1',
    'Host: a\r\nHost: b',
    'Connection: close',
    'Connection: keep-alive, Upgrade',
    'Upgrade: websocket',
  ],
  ...[
    'Expect: 100-continue',
    'Expect: x',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding: gzip',
  ],
  ...[
    'Content-Length: 0',
    'Content-Length: 9',
    'Content-Length: -1',
    'Content-Length: 9\r\nContent-Length: 8',
    'Content-Length: 99999999999999999999',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Encoding: gzip',
    'Cookie: audit=%; =;;',
  ],
  ...[
    'Authorization: Basic',
    'Authorization: Bearer x',
    'Authorization: Basic \u00ff',
    'X-CMS-Position: 1e9',
    'Origin: http://[',
    'Range: bytes=-',
  ],
  ...[
    'X-Forwarded-For: ,,',
    'Forwarded: for="',
    'Accept-Encoding: ;q=',
    'If-None-Match: "',
    'Traceparent: 00-',
    'Idempotency-Key: \u00ff',
  ],
  ...['x', ': x', 'x:\0', ' folded', `A: ${'x'.repeat(17_000)}`, 'a: b\r\n'.repeat(3000).trimEnd()],
);
const body = fc.constantFrom(
  ...[
    '',
    '{"title":',
    '{"a":"b"}',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    'ffffffffffffffff\r\nx',
    '-1\r\n',
    '5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n',
  ],
  ...[
    '--b\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\n',
    '\r\n\r\n\r\n',
    '\0'.repeat(9),
  ],
);
const message = fc
  .tuple(
    method,
    target,
    version,
    fc.array(header, { maxLength: 5 }),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
    body,
  )
  .map(([how, to, spoken, headers, line, sent]) =>
    Buffer.from([`${how} ${to} ${spoken}`, ...headers, '', sent].join(line), 'latin1'),
  );
/** A valid request, to be combined with bytes before and after it. */
const plain = fc.constant(Buffer.from('GET /cms-json/cms/v2/posts/1?_fields=id HTTP/1.1\r\nHost: x\r\n\r\n'));
const spoilt = fc.tuple(message, fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
  const other = Buffer.from(bytes);
  if (other.length > 0) other[at % other.length] = value;
  return other;
});

export const rawExchange: fc.Arbitrary<RawExchange> = fc
  .tuple(
    fc.array(fc.oneof(message, plain, spoilt), { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat({ max: 400 }), { maxLength: 3 }),
    fc.constantFrom<RawExchange['end']>('stay', 'half', 'half', 'cut'),
  )
  .map(([messages, cuts, end]) => ({ pieces: cutAt(Buffer.concat(messages), cuts), end }));

/** How long responses are awaited on a connection, in milliseconds. */
const PATIENCE = 300;

/** The statuses of all responses on one connection. */
export async function exchange(port: number, { pieces, end }: RawExchange): Promise<readonly number[]> {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('end', close);
  socket.on('close', close);
  for (const piece of pieces) {
    socket.write(piece);
    await wait(1);
  }
  if (end === 'half') socket.end();
  if (end !== 'cut') await Promise.race([closed, wait(PATIENCE)]);
  socket.destroy();
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

function cutAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const marks = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return marks.slice(1).map((mark, i) => bytes.subarray(marks[i], mark));
}
