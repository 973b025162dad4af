import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ServerOptions, Upload } from '@tus/server';
import type { FastifyInstance } from 'fastify';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { endingOf, fileName } from '#domain/media/naming.ts';
import { typeOfExtension } from '#domain/media/types.ts';
import { FilesUnavailable } from '#media/files.ts';
import { newPartialId, ownerOfPartial, type Partials, PIECE_TYPE } from '#media/partials.ts';
import { parseQuery } from '#text/query-string.ts';
import type { Engine, Incoming } from '../engine/engine.ts';
import { headerIn } from '../engine/input.ts';
import type { AnsweredReply } from '../engine/respond.ts';
import type { FlatHeaders } from '../message/headers.ts';
import { GONE } from '../message/limits.ts';
import { valueIn } from '../message/reply.ts';
import { type RouteAnswer, route, takeOver } from './exchange.ts';
import type { Server } from './serve.ts';
import type { RequestTarget } from './target.ts';

export interface ResumableOptions {
  readonly engine: Pick<Engine, 'answer' | 'refuse'>;
  readonly server: Pick<Server, 'serve'>;
  readonly targetOf: (url: string) => RequestTarget | null;
  /** Absent in a reader, which hands these requests over. */
  readonly partials: Partials | undefined;
  /** Maximum bytes of a body without its file. */
  readonly bodyLimit: number;
  /** Path of the route root. */
  readonly root: string;
  /** Path of the collection of media items, below the root. */
  readonly media: string;
  readonly siteUrl: () => string;
  readonly newId: () => string;
  /** See `ServerOptions`. */
  readonly headerPrefix: string;
}

/** Uploads of one user that may be under way. */
const AT_ONCE = 64;
const VERSION = '1.0.0';
const METHODS = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'];
const EXPOSED =
  'Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset';
const ALLOWED =
  'Authorization, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Requested-With';

const LIBRARY_READS = /^(?:tus-|upload-|content-(?:type|length)$)/;
const USUAL = [
  ...['Cache-Control', 'no-store', 'Vary', 'Origin'],
  ...['X-Robots-Tag', 'noindex', 'X-Content-Type-Options', 'nosniff'],
];
const NOTHING = Buffer.alloc(0);

const WRONG_VERSION = refuse('rest_upload_protocol', `Tus-Resumable must be ${VERSION}.`);
const NO_NAME = refuse(
  'rest_upload_no_file_name',
  'Upload-Metadata has no filename, whose ending says what the file is.',
);
const NO_TYPE = refuse('rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.');
const NOT_FOUND = refuse('rest_upload_not_found', 'There is no such upload of yours. Please begin again.');
const TOO_MANY = refuse(
  'rest_too_many_uploads',
  'Too many of your uploads are not complete. Please complete or delete one of them; each ends after a day.',
  { retry_after: 60 },
);
/** What the library refuses, by its status. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  404: NOT_FOUND,
  409: refuse('rest_upload_offset', 'Upload-Offset is not where the upload stands: ask for that by HEAD.'),
  410: refuse('rest_upload_expired', 'The upload has expired. Please begin again.'),
  413: refuse('rest_request_too_large', 'The file is too large: the setting UPLOAD_LIMIT is the maximum.'),
};
/** Names in `Upload-Metadata` that are no fields of an item. */
const ABOUT_FILE = new Set(['filename', 'filetype', 'name', 'type', 'relativePath']);
/** Headers of a request that say who sends it. */
const SENDER = ['authorization', 'origin', 'referer', 'host', 'sec-fetch-site'];

type Fields = Readonly<Record<string, string | null>>;
type Parts = ResumableOptions & { readonly partials: Partials };

/** Serves uploads that arrive in pieces (tus 1.0). A complete file becomes a media item by the route for whole files. */
export function addResumable(app: FastifyInstance, options: ResumableOptions): void {
  const { server, targetOf, partials, root, media } = options;
  const own = partials && new Resumable({ ...options, partials });
  const answer: RouteAnswer = (request, reply) => {
    const { raw } = request;
    const target = targetOf(raw.url ?? '') ?? { path: '/', query: '' };
    server.serve({ ...takeOver(request, reply), answer: own && ((incoming) => own.answer(incoming, raw)) }, target);
    return reply;
  };
  const path = `${root}${media}/resumable`;
  for (const url of [path, `${path}/:upload`]) app.route(route(METHODS, url, answer));
}

interface Asked {
  readonly incoming: Incoming;
  readonly raw: IncomingMessage;
  readonly method: string;
  /** The upload that is addressed; `''`: none. */
  readonly id: string;
}

interface Completed {
  /** Null: it was refused. */
  readonly media: number | null;
  /** Absent if it was complete before. */
  readonly answered?: AnsweredReply;
}

class Resumable {
  readonly #parts: Parts;
  readonly #path: string;
  /** A client that asks again while its file is being examined gets the same answer. */
  readonly #completing = new Map<string, Promise<Completed>>();
  #library: ReturnType<typeof loadLibrary> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#path = `${parts.media}/resumable`;
  }

  async answer(incoming: Incoming, raw: IncomingMessage): Promise<AnsweredReply> {
    const method = headerIn(incoming.headers, 'x-http-method-override')?.toUpperCase() ?? incoming.method;
    const asked = { incoming, raw, method, id: incoming.path.slice(this.#path.length + 1) };
    const refusal = method === 'OPTIONS' ? null : await this.#refusalOf(asked);
    const answered = refusal ?? (await this.#handOn(asked));
    const { reply } = answered;
    return { ...answered, route: this.#path, reply: { ...reply, head: [...reply.head, ...this.#protocolOf(asked)] } };
  }

  /** What refuses a request before the library sees it: wrong version, somebody else's upload, or a right lost meanwhile. */
  async #refusalOf({ incoming, method, id }: Asked): Promise<AnsweredReply | null> {
    const refused = (refusal: Refusal) => this.#parts.engine.refuse(refusal, incoming.viewer);
    if (!METHODS.includes(method)) return refused(NOT_FOUND);
    if (headerIn(incoming.headers, 'tus-resumable') !== VERSION) return refused(WRONG_VERSION);
    if (method === 'POST') return id === '' ? null : refused(NOT_FOUND);
    const { store } = await this.#loaded();
    const described = ownerOfPartial(id) === incoming.viewer.id ? await store.describe(id) : undefined;
    const refusal = await this.#mayNot(incoming, described?.metadata ?? {});
    return refusal ?? (described === undefined ? refused(NOT_FOUND) : null);
  }

  async #handOn(asked: Asked): Promise<AnsweredReply> {
    const { incoming, raw, method, id } = asked;
    const { engine, newId, siteUrl, root, headerPrefix } = this.#parts;
    const { Server: Library, store, locker } = await this.#loaded();
    let refused: AnsweredReply | null = null;
    let position: number | null = null;
    const options: ServerOptions = {
      ...{ path: this.#path, locker, maxSize: this.#parts.partials.limit },
      // The newest request of a client goes on at once: an older one has lost its connection.
      lockDrainTimeout: 1,
      namingFunction: () => newPartialId(incoming.viewer.id, newId()),
      getFileIdFromRequest: () => id,
      generateUrl: (_, upload) => `${new URL(siteUrl()).pathname.replace(/\/$/, '')}${root}${this.#path}/${upload.id}`,
      onUploadCreate: async (_, upload) => {
        const metadata = { ...textsIn(incoming.query), ...upload.metadata };
        refused = await this.#mayNotBegin(incoming, metadata);
        if (refused !== null) throw new TypeError('refused');
        return { metadata };
      },
      onUploadFinish: async (_, upload) => {
        const { media, answered } = await this.#complete(incoming, upload);
        position = answered?.position ?? null;
        if (media === null) refused = answered ?? null;
        if (refused !== null) throw new TypeError('refused');
        return { headers: { [`${headerPrefix}-Media`]: String(media), ...this.#ownIn(answered?.reply.head ?? []) } };
      },
    };
    const response = await new Library({ ...options, datastore: store }).handleWeb(requestOf(asked) as never);
    if (refused !== null) return refused;
    if (response.status >= 400)
      return engine.refuse(refusalIn(response.status, await response.text(), raw), incoming.viewer);
    const media = method === 'HEAD' ? await store.mediaOf(id) : null;
    const head = [...headIn(response), ...(media === null ? [] : [`${headerPrefix}-Media`, String(media)])];
    return { reply: { status: response.status, head, body: NOTHING, tag: null }, route: null, position };
  }

  /** Why an upload may not begin; null: it may. */
  async #mayNotBegin(incoming: Incoming, fields: Fields): Promise<AnsweredReply | null> {
    const { engine, partials } = this.#parts;
    const refusal = await this.#mayNot(incoming, fields);
    if (refusal !== null) return refusal;
    await partials.sweep();
    const name = fileName(fields['filename'] ?? '');
    const reason =
      (fields['filename'] ?? '') === ''
        ? NO_NAME
        : name === null || typeOfExtension(endingOf(name)) === undefined
          ? NO_TYPE
          : (await partials.countOf(incoming.viewer.id)) >= AT_ONCE
            ? TOO_MANY
            : null;
    return reason && engine.refuse(reason, incoming.viewer);
  }

  /** Why the user may not upload a file with these fields; null: they may. It is asked as an upload that ends before its first byte. */
  async #mayNot(incoming: Incoming, fields: Fields): Promise<AnsweredReply | null> {
    const answered = await this.#upload(incoming, fields, Readable.from([]));
    const { code } = JSON.parse(answered.reply.body.toString('latin1'));
    return code === 'rest_upload_no_data' ? null : answered;
  }

  #complete(incoming: Incoming, upload: Upload): Promise<Completed> {
    const { id } = upload;
    const completing = this.#completing.get(id) ?? this.#makeItem(incoming, upload);
    this.#completing.set(id, completing);
    return completing.finally(() => this.#completing.delete(id));
  }

  async #makeItem(incoming: Incoming, { id, metadata = {} }: Upload): Promise<Completed> {
    const { store } = await this.#loaded();
    const known = await store.mediaOf(id);
    if (known !== null) return { media: known };
    const answered = await this.#upload(incoming, metadata, createReadStream(store.pathOf(id)));
    const { status, head } = answered.reply;
    if (status === 201) {
      const media = Number(valueIn(head, 'Location')?.split('/').at(-1));
      await store.complete(id, media);
      return { media, answered };
    }
    // What the server cannot do now may be tried again.
    if (status < 500) await store.remove(id);
    return { media: null, answered };
  }

  /** Uploads a file by the route for whole files, in the name of whoever sent a request. */
  async #upload(incoming: Incoming, fields: Fields, bytes: Readable): Promise<AnsweredReply> {
    const { engine, media, bodyLimit } = this.#parts;
    const sender = SENDER.map((name) => [name, incoming.headers[name]] as const);
    const name = encodeURIComponent(fields['filename'] ?? '').replaceAll("'", '%27');
    const about = { 'content-type': PIECE_TYPE, 'content-disposition': `attachment; filename*=UTF-8''${name}` };
    const headers = { ...Object.fromEntries(sender), ...about };
    const request = { ...incoming, method: 'POST', path: media, query: queryOf(fields), headers };
    try {
      return await engine.answer({ ...request, unread: { bytes, limit: bodyLimit } });
    } finally {
      bytes.destroy();
    }
  }

  /** The headers of the protocol that every answer has. */
  #protocolOf({ incoming, method }: Asked): FlatHeaders {
    const { headerPrefix } = this.#parts;
    const own = ['Tus-Resumable', VERSION, ...(method === 'OPTIONS' ? [] : ['Tus-Version', VERSION])];
    if (headerIn(incoming.headers, 'origin') === undefined) return own;
    const lists = ['Access-Control-Expose-Headers', `${EXPOSED}, ${headerPrefix}-Media`];
    return [...own, ...lists, 'Access-Control-Allow-Headers', ALLOWED];
  }

  #ownIn(head: FlatHeaders): Record<string, string> {
    const names = ['Position', 'Repeated', 'Ignored'].map((name) => `${this.#parts.headerPrefix}-${name}`);
    return Object.fromEntries(names.flatMap((name) => [[name, valueIn(head, name)]].filter(([, value]) => value)));
  }

  #loaded(): ReturnType<typeof loadLibrary> {
    this.#library ??= loadLibrary(this.#parts.partials.folder);
    return this.#library;
  }
}

/** Most servers never need it. */
async function loadLibrary(folder: string) {
  const { MemoryLocker, Server } = await import('@tus/server');
  const { ResumableStore } = await import('./resumable-store.ts');
  return { Server, store: new ResumableStore(folder), locker: new MemoryLocker() };
}

function requestOf({ incoming, raw, method }: Asked): Request {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined || !LIBRARY_READS.test(name) ? [] : [[name, String(value)] as [string, string]],
  );
  const body = method === 'POST' || method === 'PATCH' ? { body: Readable.toWeb(raw), duplex: 'half' } : {};
  return new Request('http://library.invalid', { method, headers, ...body } as RequestInit);
}

function refusalIn(status: number, text: string, raw: IncomingMessage): Refusal {
  // A newer request has taken its place.
  const known = REFUSALS[text.startsWith('Request aborted') ? 409 : status];
  if (known !== undefined) return known;
  if (status !== 500) return refuse('rest_upload_invalid', `The request is not one of tus ${VERSION}: ${text.trim()}`);
  if (raw.readableAborted) return GONE;
  throw new FilesUnavailable(`A piece of an upload cannot be kept: ${text.trim()}`);
}

/** The headers of the library's answer, without those that this server makes itself. */
function headIn({ headers, status }: Response): string[] {
  const own = [...headers].filter(
    ([name]) => !/^(?:access-control-.*|tus-resumable|content-.*|cache-control)$/.test(name),
  );
  return [...USUAL, ...(status === 204 ? [] : ['Content-Length', '0']), ...own.flat()];
}

function textsIn(query: string): Fields {
  return Object.fromEntries(
    Object.entries(parseQuery(query)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Fields as a query. What changes the form of an answer is left out: the library makes it. */
function queryOf(fields: Fields): string {
  const own = Object.entries(fields).filter(([name]) => !ABOUT_FILE.has(name) && !name.startsWith('_'));
  return new URLSearchParams(own.map(([name, value]): [string, string] => [name, value ?? ''])).toString();
}
