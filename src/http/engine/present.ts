import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import { pieceDone } from '#text/suspended.ts';
import type { Wanted } from './call.ts';
import { ANSWER_TOO_LARGE, TOO_MANY_ANSWERS } from './limits.ts';
import type { AnswerRoom } from './response-budget.ts';
import { type Selection, selectFrom } from './select.ts';
import type { Body, ReadyBytes, Rec } from './types.ts';

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** A record's JSON text without its closing brace, so that members can be added. */
export interface Piece {
  /** One text after the other: long ones are apart, because joining them copies them. */
  readonly texts: readonly JsonText[];
  /** Its `_links` as shown; null when they are not shown. */
  readonly links: JsonText | null;
}

export type ShownAnswer =
  | { readonly kind: 'item'; readonly piece: Piece }
  | { readonly kind: 'list'; readonly pieces: readonly Piece[]; readonly ready?: ReadyBytes | undefined }
  | Extract<Body, { readonly kind: 'text' | 'bytes' | 'stream' }>;

const keys = new Map<string, string>();

/**
 * Renders a body, reduced to what is wanted. For an item, selecting any part of `_links` includes all of it; in a list `_links` is
 * a field like any other (interface behaviour, section 5).
 */
export function show(body: Body, wanted: Wanted): ShownAnswer;
/** The same; refused for a list that is longer than its bounds. */
export function show(body: Body, wanted: Wanted, bounds: ListBounds | undefined): ShownAnswer | Refusal;
export function show(body: Body, wanted: Wanted, bounds?: ListBounds): ShownAnswer | Refusal {
  switch (body.kind) {
    case 'record':
      return { kind: 'item', piece: itemPiece(body.record, wanted) };
    case 'list':
      return showList(body, wanted, bounds);
    case 'json':
      return { kind: 'text', type: JSON_TYPE, text: asciiJson(selectValue(body.value, wanted)) };
    case 'text':
    case 'bytes':
    case 'stream':
      return body;
  }
}

export function recordText(shown: ShownAnswer): string {
  if (shown.kind === 'text') return shown.text;
  if (shown.kind === 'bytes') return shown.bytes.toString('base64');
  if (shown.kind === 'stream') return '';
  if (shown.kind === 'item') return `${headOf(shown.piece)}}`;
  if (shown.ready !== undefined) return shown.ready.bytes.toString('latin1');
  return shown.pieces.length === 0 ? '[]' : `[${shown.pieces.map(headOf).join('},')}}]`;
}

/** The same as consecutive texts, which saves copying a long one. */
export function recordTexts(shown: ShownAnswer): readonly string[] {
  if (shown.kind === 'item') return [...shown.piece.texts, '}'];
  if (shown.kind !== 'list' || shown.ready !== undefined || shown.pieces.length === 0) return [recordText(shown)];
  return [...shown.pieces.flatMap(({ texts }, i) => [i === 0 ? '[' : '},', ...texts]), '}]'];
}

/** The same with changed JSON texts; files and streams stay as they are. */
export function mapTexts(shown: ShownAnswer, change: (json: JsonText) => JsonText): ShownAnswer {
  const piece = ({ texts, links }: Piece): Piece => ({ texts: texts.map(change), links });
  if (shown.kind === 'item') return { kind: 'item', piece: piece(shown.piece) };
  if (shown.kind === 'list') return { kind: 'list', pieces: shown.pieces.map(piece) };
  return shown.kind === 'text' ? { ...shown, text: change(shown.text) } : shown;
}

/** Characters that have to be encoded; 0 for bytes, streams and lists that are ready. */
export function recordLength(shown: ShownAnswer): number {
  if (shown.kind === 'item') return lengthIn(shown.piece);
  if (shown.kind === 'text') return shown.text.length;
  if (shown.kind !== 'list' || shown.ready !== undefined) return 0;
  return shown.pieces.reduce((sum, piece) => sum + lengthIn(piece), 0);
}

function headOf({ texts }: Piece): JsonText {
  return texts.length === 1 ? texts[0]! : texts.join('');
}

export function lengthIn({ texts }: Piece): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

export function contentTypeOf(shown: ShownAnswer): string {
  return shown.kind === 'item' || shown.kind === 'list' ? JSON_TYPE : shown.type;
}

function showList(
  body: Extract<Body, { kind: 'list' }>,
  { selection }: Wanted,
  bounds?: ListBounds,
): ShownAnswer | Refusal {
  const pieces = () => body.records.map((record) => pieceOf(record, record.names, selection));
  if (selection !== null || body.ready === undefined) {
    const make = (record: Rec) => pieceOf(record, record.names, selection);
    const made = bounded(body.records, make, bounds);
    return isRefusal(made) ? made : { kind: 'list', pieces: made };
  }
  return {
    kind: 'list',
    ready: body.ready,
    get pieces() {
      return pieces();
    },
  };
}

export interface ListBounds {
  /** Maximum characters of a list. */
  readonly max: number;
  /** Room for the characters made so far, beside other lists. */
  readonly room: Pick<AnswerRoom, 'hold'>;
}

/** Why a list of some pieces cannot be continued, or null. A single record is never too large. */
export function listFault({ max, room }: ListBounds, { length, count }: ListSize): Refusal | null {
  if (count > 1 && length > max) return ANSWER_TOO_LARGE;
  return count > 1 && !room.hold(length) ? TOO_MANY_ANSWERS : null;
}

interface ListSize {
  /** Characters. */
  readonly length: number;
  readonly count: number;
}

/** Makes pieces within bounds. */
function bounded(records: readonly Rec[], make: (record: Rec) => Piece, bounds?: ListBounds): Piece[] | Refusal {
  const pieces: Piece[] = [];
  let length = 0;
  for (const record of records) {
    pieceDone();
    const piece = make(record);
    length += lengthIn(piece);
    pieces.push(piece);
    const fault = bounds === undefined ? null : listFault(bounds, { length, count: pieces.length });
    if (fault !== null) return fault;
  }
  return pieces;
}

function itemPiece(record: Rec, { selection, links }: Wanted): Piece {
  if (selection === null || !links) return pieceOf(record, withoutLinks(record.names, links), selection);
  return pieceOf(record, record.names, new Map([...selection, ['_links', true]]));
}

function withoutLinks(names: readonly string[], links: boolean): readonly string[] {
  return links ? names : names.filter((name) => name !== '_links');
}

function pieceOf(record: Rec, names: readonly string[], selection: Selection | null): Piece {
  const texts: JsonText[] = [];
  let last = '{';
  let isFirst = true;
  let links: JsonText | null = null;
  for (const name of names) {
    const part = selection === null ? true : selection.get(name);
    if (part === undefined) continue;
    last += isFirst ? keyText(name) : `,${keyText(name)}`;
    isFirst = false;
    const long = part === true ? record.texts?.(name) : undefined;
    if (long !== undefined) {
      texts.push(last, ...long);
      last = '';
      continue;
    }
    const text = part === true ? record.json(name) : partOf(record.json(name), part);
    last += text;
    if (name === '_links') links = text;
  }
  texts.push(last);
  return { texts, links };
}

function partOf(text: JsonText, selection: Selection): JsonText {
  return text.startsWith('{') || text.startsWith('[') ? asciiJson(selectFrom(JSON.parse(text), selection)) : text;
}

function selectValue(value: unknown, { selection, links }: Wanted): unknown {
  if (selection === null) return value;
  if (Array.isArray(value)) return value.map((item) => selectFrom(item, selection));
  if (!isRecord(value)) return value;
  const { _links: all, ...rest } = value;
  const kept = { ...(selectFrom(rest, selection) as object) };
  return links && all !== undefined ? { ...kept, _links: all } : kept;
}

function keyText(name: string): string {
  let text = keys.get(name);
  if (text === undefined) {
    text = `${asciiJson(name)}:`;
    keys.set(name, text);
  }
  return text;
}
