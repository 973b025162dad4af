import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import type { Wanted } from './call.ts';
import { ANSWER_TOO_LARGE } from './limits.ts';
import { type Selection, selectFrom } from './select.ts';
import type { Body, ReadyBytes, Rec } from './types.ts';

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** A record's JSON text without its closing brace, so that members can be added. */
export interface Piece {
  readonly text: JsonText;
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
/** The same; refused for a list of more than `max` characters. */
export function show(body: Body, wanted: Wanted, max: number | undefined): ShownAnswer | Refusal;
export function show(body: Body, wanted: Wanted, max?: number): ShownAnswer | Refusal {
  switch (body.kind) {
    case 'record':
      return { kind: 'item', piece: itemPiece(body.record, wanted) };
    case 'list':
      return showList(body, wanted, max);
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
  if (shown.kind === 'item') return `${shown.piece.text}}`;
  if (shown.ready !== undefined) return shown.ready.bytes.toString('latin1');
  return shown.pieces.length === 0 ? '[]' : `[${shown.pieces.map(({ text }) => text).join('},')}}]`;
}

/** The JSON of an answer, whatever it is. */
export function jsonOf(shown: ShownAnswer): JsonText {
  const text = recordText(shown);
  return contentTypeOf(shown) !== JSON_TYPE ? asciiJson(text) : text;
}

/** The same with changed JSON texts; files and streams stay as they are. */
export function mapTexts(shown: ShownAnswer, change: (json: JsonText) => JsonText): ShownAnswer {
  const piece = ({ text, links }: Piece): Piece => ({ text: change(text), links });
  if (shown.kind === 'item') return { kind: 'item', piece: piece(shown.piece) };
  if (shown.kind === 'list') return { kind: 'list', pieces: shown.pieces.map(piece) };
  return shown.kind === 'text' ? { ...shown, text: change(shown.text) } : shown;
}

export function contentTypeOf(shown: ShownAnswer): string {
  return shown.kind === 'item' || shown.kind === 'list' ? JSON_TYPE : shown.type;
}

function showList(body: Extract<Body, { kind: 'list' }>, { selection }: Wanted, max?: number): ShownAnswer | Refusal {
  const pieces = () => body.records.map((record) => pieceOf(record, record.names, selection));
  if (selection !== null || body.ready === undefined) {
    const make = (record: Rec) => pieceOf(record, record.names, selection);
    const made = bounded(body.records, make, max);
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

/** Why a list of so many pieces and characters cannot be continued, or null. A single record is never too large. */
export function listFault(
  max: number,
  { length, count }: { readonly length: number; readonly count: number },
): Refusal | null {
  return count > 1 && length > max ? ANSWER_TOO_LARGE : null;
}

/** Makes pieces of at most `max` characters together. */
function bounded(records: readonly Rec[], make: (record: Rec) => Piece, max?: number): Piece[] | Refusal {
  const pieces: Piece[] = [];
  let length = 0;
  for (const record of records) {
    const piece = make(record);
    length += piece.text.length;
    pieces.push(piece);
    const fault = max === undefined ? null : listFault(max, { length, count: pieces.length });
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
  let text = '{';
  let isFirst = true;
  let links: JsonText | null = null;
  for (const name of names) {
    const part = selection === null ? true : selection.get(name);
    if (part === undefined) continue;
    const json = part === true ? record.json(name) : partOf(record.json(name), part);
    text += (isFirst ? keyText(name) : `,${keyText(name)}`) + json;
    isFirst = false;
    if (name === '_links') links = json;
  }
  return { text, links };
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
