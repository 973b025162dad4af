import { asciiJson } from '#text/json.ts';
import type { Wanted } from './call.ts';
import { type Selection, selectFrom } from './select.ts';
import { isRecord } from './shapes.ts';
import type { Body, JsonText, Rec } from './types.ts';

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** A record's JSON text without its closing brace, so that members can still be added. */
export interface Piece {
  readonly head: JsonText;
  /** Its `_links` as shown; null when they are not shown. */
  readonly links: JsonText | null;
  /** Stands for the head in an entity tag. */
  readonly digest?: string | undefined;
}

/** An answer's body in the shape in which records can still be embedded. */
export type Shown =
  | { readonly kind: 'item'; readonly piece: Piece }
  | { readonly kind: 'list'; readonly pieces: readonly Piece[] }
  | Extract<Body, { readonly kind: 'text' | 'stream' }>;

const keys = new Map<string, string>();

/** JSON text of a value with everything outside ASCII escaped. */
export function toAsciiJson(value: unknown): JsonText {
  return asciiJson(value);
}

/**
 * Shows a body, cut down to what is wanted. Of an item, naming any part of `_links` brings all of it; in a list
 * `_links` is a field like any other (interface behaviour, section 5).
 */
export function show(body: Body, wanted: Wanted): Shown {
  switch (body.kind) {
    case 'record':
      return { kind: 'item', piece: itemPiece(body.record, wanted) };
    case 'list':
      return { kind: 'list', pieces: body.records.map((record) => listPiece(record, wanted)) };
    case 'json':
      return { kind: 'text', type: JSON_TYPE, text: asciiJson(selectValue(body.value, wanted)) };
    case 'text':
    case 'stream':
      return body;
  }
}

/** The text of what is shown. */
export function textOf(shown: Shown): string {
  if (shown.kind === 'text') return shown.text;
  if (shown.kind === 'stream') return '';
  if (shown.kind === 'item') return `${shown.piece.head}}`;
  return shown.pieces.length === 0 ? '[]' : `[${shown.pieces.map(({ head }) => head).join('},')}}]`;
}

export function typeOf(shown: Shown): string {
  return shown.kind === 'text' || shown.kind === 'stream' ? shown.type : JSON_TYPE;
}

function listPiece(record: Rec, { selection }: Wanted): Piece {
  if (selection === null && record.whole !== undefined) return wholePiece(record, record.whole);
  return pieceOf(record, record.names, selection);
}

function itemPiece(record: Rec, { selection, links }: Wanted): Piece {
  if (selection === null || !links) return pieceOf(record, withoutLinks(record.names, links), selection);
  return pieceOf(record, record.names, new Map([...selection, ['_links', true]]));
}

function withoutLinks(names: readonly string[], links: boolean): readonly string[] {
  return links ? names : names.filter((name) => name !== '_links');
}

function pieceOf(record: Rec, names: readonly string[], selection: Selection | null): Piece {
  let head = '{';
  let links: JsonText | null = null;
  for (const name of names) {
    const part = selection === null ? true : selection.get(name);
    if (part === undefined) continue;
    const text = part === true ? record.json(name) : partOf(record.json(name), part);
    head += head === '{' ? keyText(name) + text : `,${keyText(name)}${text}`;
    if (name === '_links') links = text;
  }
  return { head, links };
}

/** Links are looked up only if something is to be embedded. */
function wholePiece(record: Rec, whole: JsonText): Piece {
  return {
    head: whole.slice(0, -1),
    digest: record.digest,
    get links() {
      return record.json('_links');
    },
  };
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

/** Names repeat with every record. */
function keyText(name: string): string {
  let text = keys.get(name);
  if (text === undefined) {
    text = `${asciiJson(name)}:`;
    keys.set(name, text);
  }
  return text;
}
