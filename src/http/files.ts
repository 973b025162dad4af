import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import type { Authenticator } from './auth.ts';
import { CORRELATION } from './correlation.ts';
import { namesTag } from './engine/etag.ts';
import { JSON_TYPE } from './engine/present.ts';
import { problemText, refusalFor, statusOf } from './engine/problem.ts';
import { type Answer, type Exchange, methodsOf, route, takeOver } from './exchange.ts';
import { type ByteRange, rangeOf } from './file-range.ts';

/** A file as it lies on disk. */
export interface StoredFile {
  readonly location: string;
  readonly hash: string;
  readonly type: string;
  /** Whether it is what was uploaded; read to its end when that is not known yet. */
  readonly isIntact: () => Promise<boolean>;
  /** Who may see it; absent: everybody. */
  readonly isFor?: (viewer: Viewer) => boolean;
}

/** The file at a path below that of the uploads. */
export type FindFile = (path: string) => StoredFile | null;

export interface FileServerOptions {
  readonly find: FindFile;
  /** Knows for whom a request is made. */
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Answers what is no file, and what is none for who asks. */
  readonly notFound: Answer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

const ROOT = '/uploads/';
/** An address never comes to stand for other bytes. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Who may see it is asked each time. */
const RESTRICTED = 'private, no-cache';
/** Nothing that is uploaded runs, whatever it turns out to be. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** What browsers show themselves; everything else is for saving. */
const SHOWN = /^(?:image|video|audio)\/|^application\/pdf$|^text\/plain$/;
/** Players and readers for these are parts of the browser that the policy would keep from working. */
const PLAYED = /^(?:video|audio)\/|^application\/pdf$/;

/** Serves uploaded files. */
export function addFiles(app: FastifyInstance, options: FileServerOptions): void {
  const { find, authenticator, addressOf, notFound, onFault } = options;
  const whoIs = (request: IncomingMessage) =>
    authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  const answer: Answer = (request, reply) => {
    const { method = '', url = '' } = request.raw;
    const forms = method === 'GET' || method === 'HEAD' ? formsOf(pathIn(url)) : [];
    const file = forms.reduce<StoredFile | null>((found, path) => found ?? find(path), null);
    if (file === null || file.isFor?.(whoIs(request.raw)) === false) return notFound(request, reply);
    const exchange = takeOver(request, reply);
    exchange.response.setHeader(CORRELATION, exchange.id);
    detach(
      () => serve(exchange, file),
      (error) => {
        if (!exchange.request.destroyed) onFault(error, exchange.id);
        fail(exchange, error);
      },
    );
    return reply;
  };
  app.route(route(methodsOf(app), `${ROOT}*`, answer));
}

function pathIn(url: string): string | null {
  const [path = ''] = url.slice(ROOT.length).split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Clients may write a letter with its marks in another form. Names that are older than the rule for them stand as they were given. */
function formsOf(path: string | null): readonly string[] {
  if (path === null) return [];
  return [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])];
}

/** Of an answer that has begun the client sees that it was cut off. */
function fail({ response }: Exchange, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = refusalFor(error);
  const status = statusOf(refusal, anonymous);
  response.writeHead(status, { 'Content-Type': JSON_TYPE }).end(problemText(refusal, status));
}

async function serve({ request, response, note }: Exchange, file: StoredFile): Promise<void> {
  const started = performance.now();
  const isIntact = await file.isIntact();
  const { size } = isIntact ? await stat(file.location) : { size: 0 };
  const noteBytes = (bytes?: number) =>
    note({ route: 'file', actor: 0, position: null, ms: performance.now() - started, bytes });
  if (!isIntact) {
    noteBytes();
    return refuseDamaged(response);
  }
  const tag = `"${file.hash}"`;
  const known = request.headers['if-none-match'];
  const isKnown = known !== undefined && namesTag(known, tag);
  const range = isKnown ? null : wantedRange(request.headers, tag, size);
  const { status, headers } = isKnown ? { status: 304, headers: {} } : partOf(range, size);
  const isEmpty = status === 304 || status === 416 || size === 0 || request.method === 'HEAD';
  const { start, end } = bytesIn(range, size);
  noteBytes(isEmpty ? 0 : end - start + 1);
  response.writeHead(status, { ...common(tag, file), ...(isKnown ? {} : contentHeaders(file)), ...headers });
  if (isEmpty) response.end();
  else await pipeline(createReadStream(file.location, { start, end }), response);
}

/** The bytes to send. Told where they end, a stream ends with them, and not after one more look at the file. */
function bytesIn(range: ByteRange | 'beyond' | null, size: number): ByteRange {
  return range === null || range === 'beyond' ? { start: 0, end: size - 1 } : range;
}

/** It is not gone: it comes back from a backup, or by being uploaded again. So nothing may remember this answer. */
function refuseDamaged(response: Exchange['response']): void {
  const status = 503;
  const message = 'This file is damaged and has to be restored.';
  const body = JSON.stringify({ code: 'rest_file_damaged', message, data: { status } });
  response.writeHead(status, {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': '3600',
  });
  response.end(body);
}

/** A part is only of use to who has the rest of the same file. */
function wantedRange(headers: IncomingHttpHeaders, tag: string, size: number): ByteRange | 'beyond' | null {
  const condition = headers['if-range'];
  return condition !== undefined && condition !== tag ? null : rangeOf(headers.range, size);
}

function partOf(range: ByteRange | 'beyond' | null, size: number) {
  if (range === 'beyond') return { status: 416, headers: { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 } };
  if (range === null) return { status: 200, headers: { 'Content-Length': size } };
  const { start, end } = range;
  return {
    status: 206,
    headers: { 'Content-Range': `bytes ${start}-${end}/${size}`, 'Content-Length': end - start + 1 },
  };
}

function common(tag: string, { isFor }: StoredFile): Record<string, string> {
  const caching =
    isFor === undefined ? { 'Cache-Control': FOREVER } : { 'Cache-Control': RESTRICTED, Vary: 'Authorization' };
  return { ETag: tag, ...caching, 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff' };
}

function contentHeaders({ type }: StoredFile): Record<string, string> {
  return {
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    ...(SHOWN.test(type) ? {} : { 'Content-Disposition': 'attachment' }),
    ...(PLAYED.test(type) ? {} : { 'Content-Security-Policy': INERT }),
  };
}
