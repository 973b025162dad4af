import type { Refusal } from '#domain/kernel/refusal.ts';
import type { JsonText } from '#text/json.ts';
import type { ReadTime } from '#text/read-time.ts';
import { isRecord, listOf } from '#text/shapes.ts';
import { type ListBounds, lengthIn, listFault, type Piece, type ShownAnswer } from './present.ts';

/** Resolves a link to the JSON of its target without a network request; null if it leads elsewhere. */
export type Follow = (href: string) => Promise<JsonText | null>;

const NOTHING: JsonText = '[]';
const EMPTY = new Set(['[]', '{}']);

/** The relations named by `_embed`; null for all of them. Only the query string may name them. */
export function relationsIn(value: unknown): readonly unknown[] | null {
  if (value === '' || value === '0' || value === '1' || value === 'true') return null;
  const names = listOf(value) ?? [];
  return names.length === 0 ? null : names;
}

interface Embedding {
  readonly follow: Follow;
  readonly time: ReadTime | null;
  readonly bounds: ListBounds;
}

/**
 * Embeds the records behind embeddable links: one list per relation, in the order of the links, with an empty list for a link that
 * is not embeddable. Each address is resolved once.
 */
export async function embedInto(
  shown: ShownAnswer,
  relations: readonly unknown[] | null,
  { follow, time, bounds }: Embedding,
): Promise<ShownAnswer | Refusal> {
  const known = new Map<string, JsonText>();
  const once: Follow = async (href) => {
    const text = known.get(href) ?? (await follow(href)) ?? NOTHING;
    known.set(href, text);
    return text;
  };
  const embed = (piece: Piece) => embedInPiece(piece, relations, once);
  if (shown.kind === 'item') return { kind: 'item', piece: await embed(shown.piece) };
  if (shown.kind !== 'list') return shown;
  const pieces: Piece[] = [];
  let length = 0;
  for (const piece of shown.pieces) {
    time?.check();
    const whole = await embed(piece);
    length += lengthIn(whole);
    pieces.push(whole);
    const fault = listFault(bounds, { length, count: pieces.length });
    if (fault !== null) return fault;
  }
  return { kind: 'list', pieces };
}

async function embedInPiece(piece: Piece, relations: readonly unknown[] | null, follow: Follow): Promise<Piece> {
  const members: string[] = [];
  for (const [relation, links] of linksIn(piece)) {
    if (relations !== null && !relations.includes(relation)) continue;
    const texts: JsonText[] = [];
    for (const link of links) texts.push(await textFor(link, follow));
    if (texts.some((text) => !EMPTY.has(text))) members.push(`${JSON.stringify(relation)}:[${texts.join(',')}]`);
  }
  if (members.length === 0) return piece;
  return { ...piece, texts: [...piece.texts, ',"_embedded":{', members.join(','), '}'] };
}

async function textFor(link: unknown, follow: Follow): Promise<JsonText> {
  if (!isRecord(link) || link['embeddable'] !== true || typeof link['href'] !== 'string') return NOTHING;
  return (await follow(link['href'])) ?? NOTHING;
}

function linksIn({ links }: Piece): [string, readonly unknown[]][] {
  const parsed: unknown = links === null ? null : JSON.parse(links);
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([relation, list]) => (Array.isArray(list) ? [[relation, list]] : []));
}
