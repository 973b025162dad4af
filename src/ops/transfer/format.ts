import { z } from 'zod';
import { type ChainedEvent, eventId } from '#eventstore/chain.ts';
import type { Gap } from '#eventstore/salvage/whole.ts';
import type { QuotedEvent } from '#eventstore/sqlite/packed.ts';

/**
 * An export in NDJSON: a header line, then one line per commit. Every prefix that ends with a whole line is an export, too. Data and sealed
 * texts are strings, identical to what the hashes cover.
 */
export const header = '{"format":"palimpsest-log","version":1}\n';

/** Header of an export of the undamaged part of a log. Lines between its commits may represent gaps. */
export const salvageHeader = '{"format":"palimpsest-log","version":1,"salvage":true}\n';

const eventShape = z.object({
  id: z.string(),
  stream: z.string(),
  revision: z.int(),
  type: z.string(),
  v: z.int(),
  data: z.string(),
  sealed: z.string().nullable(),
  salt: z.string().nullable(),
  sealedDigest: z.string().nullable(),
});

const lineShape = z.object({
  position: z.int().min(1),
  id: z.string(),
  at: z.string(),
  actor: z.int().nullable(),
  correlationId: z.string(),
  causationId: z.string().nullable(),
  hash: z.string(),
  events: z.array(eventShape).min(1),
});

const gapShape = z.object({
  gap: z.object({ from: z.int().min(1), to: z.int().min(1), hash: z.string() }),
});

export class NotALine extends Error {
  override readonly name = 'NotALine';
}

/** The line of a commit, in pieces: sealed texts remain the bytes of the file. */
export function eventLine(commit: readonly QuotedEvent[]): readonly (string | Uint8Array)[] {
  const [first, last] = [commit[0], commit.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('A commit without events has no line');
  const { position, at, actor, correlationId, causationId } = first;
  const { hash } = last;
  const head = { position, id: first.commit.id, at, actor, correlationId, causationId, hash };
  const pieces: (string | Uint8Array)[] = [`${open(head)},"events":[`];
  for (const { id, stream, revision, type, v, data, quoted, salt, sealedDigest, commit: place } of commit) {
    const next = place.i === place.n - 1 ? '' : ',';
    pieces.push(`${open({ id, stream, revision, type, v, data })},"sealed":`, quoted);
    pieces.push(`,"salt":${JSON.stringify(salt)},"sealedDigest":${JSON.stringify(sealedDigest)}}${next}`);
  }
  pieces.push(']}\n');
  return pieces;
}

export function plainLineOf(commit: readonly ChainedEvent[]): readonly (string | Uint8Array)[] {
  return eventLine(
    commit.map((event) => ({ ...event, salted: null, quoted: Buffer.from(JSON.stringify(event.sealed)) })),
  );
}

export function gapLine(gap: Gap): string {
  return `${JSON.stringify({ gap })}\n`;
}

/** The gap that a line represents; null if it is the line of a commit. */
export function gapOf(text: string): Gap | null {
  return text.startsWith('{"gap":') ? (gapShape.safeParse(parseJson(text)).data?.gap ?? null) : null;
}

function open(begin: object): string {
  return JSON.stringify(begin).slice(0, -1);
}

/** Parses the commit of a line. Throws `NotALine`. */
export function commitOf(text: string): readonly ChainedEvent[] {
  const parsed = lineShape.safeParse(parseJson(text));
  if (!parsed.success) throw new NotALine('not a line of an export');
  const { position, id, hash, events, ...circumstances } = parsed.data;
  const n = events.length;
  return events.map((event, i) => {
    if (event.id !== eventId(id, i)) throw new NotALine(`the id of event ${position + i} is not its own`);
    const place = { position: position + i, commit: { id, i, n }, hash: i === n - 1 ? hash : null };
    return { ...event, ...circumstances, ...place };
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
