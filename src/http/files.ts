import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import type { Authenticator } from './auth.ts';
import { CORRELATION } from './correlation.ts';
import { namesTag } from './engine/etag.ts';
import { JSON_TYPE } from './engine/present.ts';
import { problemHeaders, problemText, refusalFor, statusOf } from './engine/problem.ts';
import { type Answer, type Exchange, methodsOf, route, takeOver } from './exchange.ts';
import { type ByteRange, rangeOf } from './file-range.ts';

/** Bytes as they are kept. */
export interface StoredForm {
  readonly hash: string;
  readonly type: string;
  /** Its length; null if it is not what was uploaded: it is read to its end when that is not known yet. */
  readonly bytes: () => Promise<number | null>;
  readonly read: (part: ByteRange) => Promise<Readable>;
}

export interface StoredFile extends StoredForm {
  readonly forms?: readonly StoredForm[];
  /** Who may see it; absent: everybody. */
  readonly isFor?: (viewer: Viewer) => boolean;
}

export type FindFile = (path: string) => StoredFile | null;

export interface FileServerOptions {
  readonly find: FindFile;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly addressOf: (request: IncomingMessage) => string;
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

function fail({ response }: Exchange, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = refusalFor(error);
  const status = statusOf(refusal, anonymous);
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...problemHeaders(refusal) };
  response.writeHead(status, headers).end(problemText(refusal, status));
}

async function serve({ request, response, note }: Exchange, stored: StoredFile): Promise<void> {
  const started = performance.now();
  const { file, size } = await formFor(request.headers.accept ?? '', stored);
  const noteBytes = (bytes?: number) =>
    note({ route: 'file', actor: 0, position: null, ms: performance.now() - started, bytes });
  if (size === null) {
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
  // Before the head: what cannot be read is answered with why.
  const body = isEmpty ? null : await file.read({ start, end });
  response.writeHead(status, { ...common(tag, stored), ...(isKnown ? {} : contentHeaders(file)), ...headers });
  if (body === null) response.end();
  else await pipeline(body, response);
}

/** The smallest intact form of a file that a client takes, and its length; null where the file itself is damaged. */
async function formFor(
  accepted: string,
  stored: StoredFile,
): Promise<{ readonly file: StoredForm; readonly size: number | null }> {
  for (const file of stored.forms ?? []) {
    const size = file.type === stored.type || takes(accepted, file.type) ? await file.bytes() : null;
    if (size !== null) return { file, size };
  }
  return { file: stored, size: await stored.bytes() };
}

/** Whether a client names a type; one that takes anything may not know this one. */
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

function common(tag: string, { isFor, forms }: StoredFile): Record<string, string> {
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
