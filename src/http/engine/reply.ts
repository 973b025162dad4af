import { entityTag, namedTag, tagOf } from './etag.ts';
import {
  type FlatHeaders,
  type HeaderNames,
  type HeadParts,
  headOf,
  isCompressible,
  unchangedHead,
} from './headers.ts';
import type { Pieces } from './types.ts';

/** A response as it is sent. */
export interface Reply {
  readonly status: number;
  readonly head: FlatHeaders;
  readonly body: Buffer;
  /** Entity tag; null if the response cannot be revalidated. */
  readonly tag: string | null;
  /** Must be called once the body has been sent, not earlier: its buffer may be reused then. */
  readonly release?: (() => void) | undefined;
  readonly pieces?: Pieces;
}

export interface Tagged {
  readonly version: string | undefined;
  readonly digest?: string | undefined;
}

const EMPTY = Buffer.alloc(0);

/** Makes a reply from a body. JSON text must be ASCII. */
export function replyOf(
  status: number,
  content: string | Buffer,
  parts: HeadParts & { readonly tagged?: Tagged },
): Reply {
  const body = typeof content === 'string' ? bufferOf(content, parts.type) : content;
  const tag = parts.tagged === undefined ? null : tagFor(body, parts.tagged);
  const head = headOf(status, parts);
  head.push('Vary', isCompressible(parts.type, body.length) ? 'Origin, Accept-Encoding' : 'Origin');
  if (tag !== null) head.push('ETag', tag);
  head.push('Content-Length', String(body.length));
  return { status, head, body, tag };
}

function bufferOf(text: string, type: string): Buffer {
  return Buffer.from(text, type.startsWith('application/json') ? 'latin1' : 'utf8');
}

function tagFor(body: Buffer, { version, digest }: Tagged): string {
  return digest === undefined ? entityTag(body, version) : tagOf(digest, version);
}

export function streamReply(status: number, pieces: Pieces, parts: HeadParts): Reply {
  return { status, head: [...headOf(status, parts), 'Vary', 'Origin'], body: EMPTY, tag: null, pieces };
}

export function unlessKnown(reply: Reply, ifNoneMatch: string | undefined, names: HeaderNames): Reply {
  const named = ifNoneMatch === undefined || reply.tag === null ? null : namedTag(ifNoneMatch, reply.tag);
  if (named === null) return reply;
  const head = unchangedHead(names, reply.head, named);
  return { status: 304, head, body: EMPTY, tag: named, release: reply.release };
}

/** The reply to a request whose method is overridden by HEAD: no body, and a length of 0. */
export function withoutBody({ pieces: _, ...reply }: Reply): Reply {
  const head = reply.head.map((value, index) => (reply.head[index - 1] === 'Content-Length' ? '0' : value));
  return { ...reply, head, body: EMPTY };
}

/** The value of a header; undefined if absent. */
export function valueIn(head: FlatHeaders, name: string): string | undefined {
  const at = head.findIndex((one, index) => index % 2 === 0 && one === name);
  return at === -1 ? undefined : head[at + 1];
}
