import type { Refusal } from '#domain/kernel/refusal.ts';
import type { JsonText } from '#text/json.ts';
import { isRecord, listOf } from '#text/shapes.ts';
import { listFault, type Piece, type ShownAnswer } from './present.ts';

export const NOTHING: JsonText = '[]';
const EMPTY = new Set(['[]', '{}']);

/** The JSON of what a link leads to. */
export type Follow = (href: string) => JsonText;

interface Embedding {
  readonly follow: Follow;
  /** Maximum characters of a list. */
  readonly max: number;
}

/**
 * Embeds the records behind embeddable links: one list per relation, in the order of the links, with an empty list for a link that
 * is not embeddable. Each address is resolved once. `asked`: the value of `_embed`.
 */
export function embedded(shown: ShownAnswer, asked: unknown, { follow, max }: Embedding): ShownAnswer | Refusal {
  const relations = relationsIn(asked);
  const known = new Map<string, JsonText>();
  const once: Follow = (href) => {
    const text = known.get(href) ?? follow(href);
    known.set(href, text);
    return text;
  };
  if (shown.kind === 'item') return { kind: 'item', piece: embeddedIn(shown.piece, relations, once) };
  if (shown.kind !== 'list') return shown;
  const pieces: Piece[] = [];
  let length = 0;
  for (const piece of shown.pieces) {
    const whole = embeddedIn(piece, relations, once);
    length += whole.text.length;
    pieces.push(whole);
    const fault = listFault(max, { length, count: pieces.length });
    if (fault !== null) return fault;
  }
  return { kind: 'list', pieces };
}

/** The relations named by `_embed`; null for all of them. Only the query string may name them. */
function relationsIn(value: unknown): readonly unknown[] | null {
  if (value === '' || value === '0' || value === '1' || value === 'true') return null;
  const names = listOf(value) ?? [];
  return names.length === 0 ? null : names;
}

function embeddedIn(piece: Piece, relations: readonly unknown[] | null, follow: Follow): Piece {
  const members: string[] = [];
  for (const [relation, links] of linksIn(piece)) {
    if (relations !== null && !relations.includes(relation)) continue;
    const texts = links.map((link) => textFor(link, follow));
    if (texts.some((text) => !EMPTY.has(text))) members.push(`${JSON.stringify(relation)}:[${texts.join(',')}]`);
  }
  if (members.length === 0) return piece;
  return { ...piece, text: `${piece.text},"_embedded":{${members.join(',')}}` };
}

function textFor(link: unknown, follow: Follow): JsonText {
  if (!isRecord(link) || link['embeddable'] !== true || typeof link['href'] !== 'string') return NOTHING;
  return follow(link['href']);
}

function linksIn({ links }: Piece): [string, readonly unknown[]][] {
  const parsed: unknown = links === null ? null : JSON.parse(links);
  if (!isRecord(parsed)) return [];
  return Object.entries(parsed).flatMap(([relation, list]) => (Array.isArray(list) ? [[relation, list]] : []));
}
