import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { anonymous, isAuditor, type Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { JSON_TYPE } from '../engine/present.ts';
import { namedTag } from '../message/etag.ts';
import { problemHeaders, problemText, refusalFor, statusOf } from '../message/problem.ts';
import type { Authenticator } from './auth.ts';
import { type Exchange, methodsOf, type RouteAnswer, route, takeOver } from './exchange.ts';
import { CORRELATION } from './journal.ts';

/** A stored representation of a file: as uploaded, or smaller. */
export interface StoredForm {
  readonly hash: string;
  readonly type: string;
  /** Length in bytes; null if it is damaged. Reads all of it if that is not known yet. */
  readonly bytes: () => Promise<number | null>;
  readonly read: (part: ByteRange) => Promise<Readable>;
}

export interface DeliveredFile extends StoredForm {
  readonly forms?: readonly StoredForm[];
  /** Finds what a query asks for in its place; null: nothing else. */
  readonly view?: (query: URLSearchParams) => FindView | null;
  /** Whether a viewer may see it; absent: everyone may. */
  readonly isFor?: (viewer: Viewer) => boolean;
}

type FindView = () => Promise<StoredForm | Refusal>;
export type FindFile = (path: string) => DeliveredFile | null;

export interface FileServerOptions {
  readonly find: FindFile;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly notFound: RouteAnswer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

/** A part of a file: first and last byte. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const ROOT = '/uploads/';
/** The bytes at an address never change. */
const FOREVER = 'public, max-age=31536000, immutable';
/** Access is checked each time. */
const RESTRICTED = 'private, no-cache';
/** No upload may run scripts, whatever it contains. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** Types that browsers display; everything else is offered for saving. */
const SHOWN = /^(?:image|video|audio)\/|^application\/pdf$|^text\/plain$/;
/** The browser's own players and readers for these would not work under the policy. */
const PLAYED = /^(?:video|audio)\/|^application\/pdf$/;

const ONE_RANGE = /^bytes=[ \t]*(?:(\d{1,15})[ \t]*)?-[ \t]*(?:(\d{1,15})[ \t]*)?$/i;

/** Written by hand: `@fastify/send` reads paths, and these files are streams from an object store (ADR 66). */
export function addFiles(app: FastifyInstance, options: FileServerOptions): void {
  const { find, authenticator, addressOf, notFound, onFault } = options;
  const whoIs = (request: IncomingMessage) =>
    authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  const answer: RouteAnswer = (request, reply) => {
    const { method = '', url = '' } = request.raw;
    const forms = method === 'GET' || method === 'HEAD' ? formsOf(pathIn(url)) : [];
    const file = forms.reduce<DeliveredFile | null>((found, path) => found ?? find(path), null);
    const viewer = file?.isFor === undefined ? anonymous : whoIs(request.raw);
    if (file === null || file.isFor?.(viewer) === false) return notFound(request, reply);
    const view = file.view?.(new URLSearchParams(url.split('?', 2)[1]?.split('#', 1)[0])) ?? null;
    const exchange = takeOver(request, reply);
    exchange.response.setHeader(CORRELATION, exchange.id);
    detach(
      () => serve(exchange, { found: file, view, viewer }),
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

/** Clients may send another Unicode normal form. Names from before the rule for names are stored as they were given. */
function formsOf(path: string | null): readonly string[] {
  if (path === null) return [];
  return [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])];
}

function fail({ response }: Exchange, error: unknown): void {
  if (response.headersSent) response.destroy();
  else refuseWith(response, refusalFor(error));
}

function refuseWith(response: Exchange['response'], refusal: Refusal): void {
  const status = statusOf(refusal, anonymous);
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...problemHeaders(refusal) };
  response.writeHead(status, headers).end(problemText(refusal, status));
}

interface Serving {
  readonly found: DeliveredFile;
  readonly view: FindView | null;
  readonly viewer: Viewer;
}

async function serve({ request, response, note }: Exchange, { found, view, viewer }: Serving): Promise<void> {
  const started = performance.now();
  const stored = view === null ? found : await viewed(found, view);
  const who = { actor: viewer.id, isAuditor: isAuditor(viewer) };
  const noteBytes = (bytes?: number) =>
    note({ route: 'file', ...who, position: null, ms: performance.now() - started, bytes });
  if (isRefusal(stored)) {
    noteBytes();
    return refuseWith(response, stored);
  }
  const { file, size } = await formFor(request.headers.accept ?? '', stored);
  if (size === null) {
    noteBytes();
    return refuseDamaged(response);
  }
  const tag = `"${file.hash}"`;
  const known = request.headers['if-none-match'];
  const named = known === undefined ? null : namedTag(known, tag);
  const isKnown = named !== null;
  const range = isKnown ? null : wantedRange(request.headers, tag, size);
  const { status, headers } = isKnown ? { status: 304, headers: {} } : partOf(range, size);
  const isEmpty = status === 304 || status === 416 || size === 0 || request.method === 'HEAD';
  const { start, end } = bytesIn(range, size);
  noteBytes(isEmpty ? 0 : end - start + 1);
  // Before the head, so that a failure to read still gets an error response.
  const body = isEmpty ? null : await file.read({ start, end });
  response.writeHead(status, { ...common(named ?? tag, stored), ...(isKnown ? {} : contentHeaders(file)), ...headers });
  if (body === null) response.end();
  else await pipeline(body, (chunks: AsyncIterable<Buffer>) => exactly(end - start + 1, chunks), response);
}

/** A view in the place of the file; the file itself if it is damaged. */
async function viewed({ forms: _, ...found }: DeliveredFile, view: FindView): Promise<DeliveredFile | Refusal> {
  if ((await found.bytes()) === null) return found;
  const made = await view();
  return isRefusal(made) ? made : { ...found, ...made };
}

/** Throws unless the store sends exactly the announced number of bytes: otherwise the client would misread the next response. */
async function* exactly(length: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) break;
    yield chunk;
  }
  if (left !== 0) throw new Error(`a file has ${length - left} bytes in place of ${length}`);
}

/** The smallest intact representation that a client accepts, and its length; null if the file itself is damaged. */
async function formFor(
  accepted: string,
  stored: DeliveredFile,
): Promise<{ readonly file: StoredForm; readonly size: number | null }> {
  for (const file of stored.forms ?? []) {
    const size = file.type === stored.type || takes(accepted, file.type) ? await file.bytes() : null;
    if (size !== null) return { file, size };
  }
  return { file: stored, size: await stored.bytes() };
}

/** Whether a client names a type; one that accepts anything may not support this one. */
function takes(accepted: string, type: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    return name === type && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
  });
}

function bytesIn(range: ByteRange | 'beyond' | null, size: number): ByteRange {
  return range === null || range === 'beyond' ? { start: 0, end: size - 1 } : range;
}

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

function common(tag: string, { isFor, forms }: DeliveredFile): Record<string, string> {
  const vary = [...(forms === undefined ? [] : ['Accept']), ...(isFor === undefined ? [] : ['Authorization'])];
  const caching = {
    'Cache-Control': isFor === undefined ? FOREVER : RESTRICTED,
    ...(vary.length === 0 ? {} : { Vary: vary.join(', ') }),
  };
  return { ETag: tag, ...caching, 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff' };
}

function contentHeaders({ type }: StoredForm): Record<string, string> {
  return {
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    ...(SHOWN.test(type) ? {} : { 'Content-Disposition': 'attachment' }),
    ...(PLAYED.test(type) ? {} : { 'Content-Security-Policy': INERT }),
  };
}

/**
 * The part requested by a `Range` header; null for the whole file (also for several ranges or an invalid one), `beyond` if the file
 * ends before it.
 */
function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, from = '', to = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') return lastBytes(Number(to), size);
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < start) return null;
  return start >= size ? 'beyond' : { start, end };
}

function lastBytes(count: number, size: number): ByteRange | 'beyond' {
  return count === 0 || size === 0 ? 'beyond' : { start: Math.max(0, size - count), end: size - 1 };
}
