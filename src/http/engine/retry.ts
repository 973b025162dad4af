import { createHash } from 'node:crypto';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { asciiJson } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import { envelopeHeaders } from './envelope.ts';
import type { Input } from './input.ts';
import type { GroupedText, KeptTexts, LateTexts } from './late-texts.ts';
import type { RequestOutcome } from './outcome.ts';
import { contentTypeOf, JSON_TYPE, recordText, type ShownAnswer } from './present.ts';

export interface NewAnswer {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The complete `Content-Type`. */
  readonly type: string;
  readonly body: string;
  /** The answer shows nothing of others, unless it is embedded. */
  readonly own?: true | undefined;
  /** Texts that are missing in `body`; absent: none. */
  readonly late?: KeptTexts | undefined;
}

export interface KeptAnswer extends NewAnswer {
  /** Position of the end of the commit that the answer reported. */
  readonly position: number;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const INVALID_KEY = refuse(
  'rest_invalid_idempotency_key',
  'The Idempotency-Key header must be 1 to 255 visible ASCII characters.',
);
const REUSED = refuse('rest_idempotency_key_reused', 'The Idempotency-Key was used for another request before.');

/**
 * The key under which the answer to a request is kept: a digest of the user and the `Idempotency-Key` header. Null without that
 * header, and for anonymous requests: different clients must not be given each other's answers.
 */
export function retryKey({ sent }: Input, viewer: Viewer): string | Refusal | null {
  const key = sent.header('idempotency-key');
  if (key === undefined) return null;
  if (!KEY.test(key)) return INVALID_KEY;
  return viewer.id === 0 ? null : digestOf([String(viewer.id), key]);
}

/** A digest of method, path, query and body. */
export function requestDigest({ method, path, query, sources, sent }: Input): string {
  const body = sent.body.length > 0 ? sent.body : (sent.digest ?? '') + JSON.stringify(sources);
  return digestOf([method, path, JSON.stringify(query), body]);
}

export function keepable(
  { status, headers, allow, shown }: RequestOutcome,
  request: string,
  texts: LateTexts,
): NewAnswer {
  const body = recordText(shown);
  const late = texts.keptOf(body);
  const kept = { request, status, headers: envelopeHeaders(headers, allow), type: contentTypeOf(shown), body };
  return late === undefined ? kept : { ...kept, late };
}

/** A kept answer as the outcome of the same request; another request with the same key is refused. `make`: makes its late texts again. */
export function replayOf(
  { status, headers, type, late, position, ...kept }: KeptAnswer,
  request: string,
  { texts, make }: { readonly texts: LateTexts; readonly make: (texts: readonly GroupedText[]) => readonly string[] },
): RequestOutcome | Refusal {
  if (kept.request !== request) return REUSED;
  const { Allow: allow = null, ...own } = headers;
  const body = late === undefined ? kept.body : texts.replay(kept.body, late, make);
  return {
    status,
    headers: { ...own, 'Idempotent-Replayed': 'true' },
    allow,
    shown: shownAgain(type, body),
    version: undefined,
    refused: false,
    idle: true,
    replayed: position,
  };
}

/** Restores an item, so that records can be embedded in it. */
function shownAgain(type: string, text: string): ShownAnswer {
  const value: unknown = type === JSON_TYPE && text.startsWith('{') ? JSON.parse(text) : null;
  if (!isRecord(value)) return { kind: 'text', type, text };
  const links = value['_links'];
  const shownLinks = links === undefined ? null : asciiJson(links);
  return { kind: 'item', piece: { text: text.slice(0, -1), links: shownLinks } };
}

function digestOf(parts: readonly (string | Buffer)[]): string {
  const digest = createHash('sha256');
  // With the length of each part: `ab`, `c` and `a`, `bc` must differ.
  for (const part of parts) digest.update(`${Buffer.byteLength(part)}:`).update(part);
  return digest.digest('hex');
}
