import { ascending } from './ascending.ts';

export type ShortcodeName = (typeof shortcodeNames)[number];

export interface Shortcode {
  readonly name: ShortcodeName;
  readonly attributes: ShortcodeAttributes;
  /** Text between the shortcode and its end tag; null without an end tag. */
  readonly content: string | null;
}

export interface PlacedShortcode {
  readonly name: ShortcodeName;
  readonly said: string;
  readonly content: string | null;
  readonly start: number;
  readonly end: number;
  /** End of the opening tag, and of the whole shortcode without an extra bracket. */
  readonly openEnd: number;
  readonly bareEnd: number;
  /** Whether an extra bracket precedes or follows it. With both, the shortcode is escaped. */
  readonly before: boolean;
  readonly after: boolean;
}

/** Attributes of a shortcode: named ones by lower-case name, unnamed ones by their index from 0. */
export type ShortcodeAttributes = ReadonlyMap<string, string>;

/** Names of shortcodes: words in square brackets that the server replaces with markup. */
export const shortcodeNames = ['caption', 'wp_caption', 'gallery', 'audio', 'video', 'playlist', 'embed'] as const;

const all = shortcodeNames.join('|');
const SOME = new RegExp(`\\[(?:${all})(?![\\w-])`);
const HEAD = new RegExp(`(${all})(?![\\w-])`, 'y');

const EACH =
  /([\w-]+)\s*=\s*"([^"]*)"(?:\s|$)|([\w-]+)\s*=\s*'([^']*)'(?:\s|$)|([\w-]+)\s*=\s*([^\s'"]+)(?:\s|$)|"([^"]*)"(?:\s|$)|'([^']*)'(?:\s|$)|(\S+)(?:\s|$)/g;
const ODD_SPACE = /[\u00a0\u200b]+/g;
const WHOLE_TAGS = /^[^<]*(?:<[^>]*>[^<]*)*$/;

export function hasShortcodes(text: string): boolean {
  return text.includes('[') && SOME.test(text);
}

export class ShortcodeReader {
  readonly #text: string;
  readonly #names: ReadonlySet<string>;
  readonly #closing: (from: number) => number;
  readonly #ends = new Map<string, (from: number) => number>();

  constructor(text: string, names: readonly ShortcodeName[] = shortcodeNames) {
    this.#text = text;
    this.#names = new Set(names);
    this.#closing = ascending(text, ']');
  }

  /** The next shortcode at or after an offset. Offsets must ascend. */
  next(from: number): PlacedShortcode | null {
    for (let at = this.#text.indexOf('[', from); at >= 0; at = this.#text.indexOf('[', at + 1)) {
      const shortcode = this.at(at);
      if (shortcode !== null) return shortcode;
    }
    return null;
  }

  at(start: number): PlacedShortcode | null {
    const text = this.#text;
    const before = text[start + 1] === '[';
    HEAD.lastIndex = start + (before ? 2 : 1);
    const name = HEAD.exec(text)?.[1] as ShortcodeName | undefined;
    if (name === undefined || !this.#names.has(name)) return null;
    const saidFrom = HEAD.lastIndex;
    const bracket = this.#closing(saidFrom);
    if (bracket < 0) return null;
    const isClosed = bracket > saidFrom && text[bracket - 1] === '/';
    const openEnd = bracket + 1;
    const contentEnd = isClosed ? -1 : this.#endOf(name)(openEnd);
    const bareEnd = contentEnd < 0 ? openEnd : contentEnd + name.length + 3;
    const after = text[bareEnd] === ']';
    return {
      name,
      start,
      openEnd,
      bareEnd,
      before,
      after,
      end: after ? bareEnd + 1 : bareEnd,
      said: text.slice(saidFrom, isClosed ? bracket - 1 : bracket),
      content: contentEnd < 0 ? null : text.slice(openEnd, contentEnd),
    };
  }

  #endOf(name: string): (from: number) => number {
    const known = this.#ends.get(name);
    if (known !== undefined) return known;
    const search = ascending(this.#text, `[/${name}]`);
    this.#ends.set(name, search);
    return search;
  }
}

export function readShortcodeAttributes(said: string): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  let unnamed = 0;
  for (const found of said.replace(ODD_SPACE, ' ').matchAll(EACH)) {
    const [, doubled, inDouble, single, inSingle, bare, inBare, ...plain] = found;
    const name = doubled ?? single ?? bare;
    const value = withoutEscapes(inDouble ?? inSingle ?? inBare ?? plain.find((one) => one !== undefined) ?? '');
    attributes.set(name === undefined ? String(unnamed++) : name.toLowerCase(), isWhole(value) ? value : '');
  }
  return attributes;
}

function withoutEscapes(value: string): string {
  return value.includes('\\') ? value.replace(/\\(.?)/gs, '$1') : value;
}

function isWhole(value: string): boolean {
  return !value.includes('<') || WHOLE_TAGS.test(value);
}
