import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

interface Stored {
  readonly bytes: Buffer;
  changed: Date;
  readonly tag: string;
}

/** A server in this process that speaks as much of S3 as the engine needs, with pages of three keys. */
export interface S3 {
  /** The address of a new bucket with a prefix. */
  readonly url: string;
  /** The objects by their keys, including the prefix. */
  readonly objects: Map<string, Stored>;
  /** Parts of unfinished uploads. */
  readonly unfinished: Map<string, Map<number, Buffer>>;
  /** How requests fail: without a response, with 503, or with a response that breaks off or has a wrong length. */
  fault: 'gone' | 'busy' | 'cut' | 'short' | 'long' | null;
  /** Requests wait for it. */
  held: Promise<unknown>;
  /** Answered requests, such as `GET a/b`. */
  readonly seen: string[];
  close(): Promise<void>;
}

export const prefix = 'some/site/';
const keysOfPage = 3;

export async function startS3(): Promise<S3> {
  const objects: S3['objects'] = new Map();
  const unfinished: S3['unfinished'] = new Map();
  const server = createServer((request, response) => {
    answer(s3, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const s3: S3 = {
    url: `s3://bucket/${prefix}?endpoint=http://127.0.0.1:${port}&path-style=true`,
    ...{ objects, unfinished, fault: null, held: Promise.resolve(), seen: [] },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  process.env['AWS_ACCESS_KEY_ID'] = 'key';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
  return s3;
}

/** Starts a server that is stopped after the tests of the file. */
export async function useS3(): Promise<S3> {
  const s3 = await startS3();
  afterAll(() => s3.close());
  return s3;
}

async function answer(s3: S3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  await s3.held;
  if (s3.fault === 'gone') return void request.socket.destroy();
  if (s3.fault === 'busy') return fail(response, 503, 'SlowDown');
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/')) {
    return fail(response, 403, 'AccessDenied');
  }
  const url = new URL(request.url ?? '', 'http://localhost');
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  s3.seen.push(`${request.method} ${key.slice(prefix.length)}`);
  if (bucket !== 'bucket') return fail(response, 404, 'NoSuchBucket');
  if (key === '') return list(s3, url.searchParams, response);
  const upload = url.searchParams.get('uploadId');
  if (request.method === 'POST') return upload === null ? begin(s3, response) : complete(s3, key, upload, response);
  if (request.method === 'PUT' && upload !== null) {
    s3.unfinished.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
    response.setHeader('etag', tagOf(body)).end();
  } else if (request.method === 'PUT') {
    store(s3, key, body);
    response.setHeader('etag', tagOf(body)).end();
  } else if (request.method === 'DELETE') {
    if (upload === null) s3.objects.delete(key);
    else s3.unfinished.delete(upload);
    response.writeHead(204).end();
  } else show(s3, key, request, response);
}

function show(s3: S3, key: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
  const found = s3.objects.get(key);
  if (found === undefined) {
    fail(response, 404, 'NoSuchKey');
    return;
  }
  const [, start = '0', end = String(found.bytes.length - 1)] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
  const more = headers.range === undefined || s3.fault === null ? 0 : ({ short: -1, long: 1 }[s3.fault as string] ?? 0);
  const part = found.bytes.subarray(Number(start), Number(end) + 1 + more);
  const about = { 'content-length': part.length, etag: found.tag, 'last-modified': found.changed.toUTCString() };
  response.writeHead(headers.range === undefined ? 200 : 206, about);
  if (method === 'HEAD') response.end();
  else if (s3.fault === 'cut') response.write(part.subarray(0, part.length >> 1), () => response.destroy());
  else response.end(part);
}

function list({ objects }: S3, query: URLSearchParams, response: ServerResponse): void {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
  const page = keys.slice(0, keysOfPage);
  const more = keys.length > page.length;
  const contents = page.map((key) => {
    const { bytes, changed, tag } = objects.get(key) as Stored;
    const about = `<Size>${bytes.length}</Size><LastModified>${changed.toISOString()}</LastModified><ETag>${tag}</ETag>`;
    return `<Contents><Key>${key}</Key>${about}</Contents>`;
  });
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.end(
    `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}<KeyCount>${page.length}</KeyCount>${contents.join('')}</ListBucketResult>`,
  );
}

function begin({ unfinished }: S3, response: ServerResponse): void {
  const id = randomUUID();
  unfinished.set(id, new Map());
  response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function complete(s3: S3, key: string, id: string, response: ServerResponse): void {
  const parts = [...(s3.unfinished.get(id) ?? [])].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
  s3.unfinished.delete(id);
  store(s3, key, Buffer.concat(parts));
  response.end(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

function store({ objects }: S3, key: string, bytes: Buffer): void {
  objects.set(key, { bytes, changed: new Date(), tag: tagOf(bytes) });
}

const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** The body without the chunk framing that clients use for trailing checksums. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const all = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  if (!String(request.headers['x-amz-content-sha256']).startsWith('STREAMING-')) return all;
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = all.indexOf('\r\n', at);
    const length = Number.parseInt(all.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(all.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
