import { isAscii, isUtf8 } from 'node:buffer';
import type { SourceNotice } from './records.ts';
import { lineEnds, noticesOf, repairNotice, type TextRepair } from './wxr-notices.ts';

/** Bytes from 0x80 to 0x9F in windows-1252; what that leaves undefined stays, as in browsers. */
const windows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** In bytes as Latin 1: whole characters of UTF-8; surrogate pairs, and halves of them, as some databases store them; any other byte. */
const sequences =
  /(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|(\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf])|(\xed[\xa0-\xbf][\x80-\xbf])|([\x80-\xff])/g;
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/;
const allForbidden = new RegExp(forbidden, 'g');
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const declaration = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;

type Decode = (bytes: Buffer, isLast: boolean) => string;

/**
 * Turns the bytes of a file into text that XML can contain, piece by piece. What it repairs is in `notices`, which the caller empties.
 * The text has the lines of the file.
 */
export class XmlBytes {
  readonly notices: SourceNotice[] = [];
  readonly #file: string;
  #line = 1;
  #decode: Decode | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #repairs: TextRepair[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  take(chunk: Buffer, isLast: boolean): string {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    if (this.#decode === null) {
      if (bytes.length < 1024 && !isLast) {
        this.#rest = bytes;
        return '';
      }
      return this.#finish(this.#begin(bytes)(this.#withoutMark(bytes), isLast));
    }
    return this.#finish(this.#decode(bytes, isLast));
  }

  #begin(bytes: Buffer): Decode {
    const utf16 = utf16Of(bytes);
    if (utf16 !== null) this.notices.push(repairNotice('utf_16', this.#file, 1));
    const label = declaration.exec(bytes.toString('latin1', 0, 1024))?.[1]?.toLowerCase() ?? 'utf-8';
    const isOther = !/^(?:utf|ucs)/.test(label) && (isAscii(bytes) || !isUtf8(wholeCharacters(bytes)));
    const other = utf16 === null && isOther ? decoderOf(label) : null;
    if (utf16 !== null) this.#decode = (part, isLast) => this.#utf16(part, isLast, utf16);
    else if (other !== null) this.#decode = (part, isLast) => other.decode(part, { stream: !isLast });
    else this.#decode = (part, isLast) => this.#utf8(part, isLast);
    return this.#decode;
  }

  #withoutMark(bytes: Buffer): Buffer {
    if (bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))) {
      this.notices.push(repairNotice('byte_order_mark', this.#file, 1));
      return bytes.subarray(3);
    }
    return isMark(bytes) ? bytes.subarray(2) : bytes;
  }

  #utf8(bytes: Buffer, isLast: boolean): string {
    const whole = isLast ? bytes : wholeCharacters(bytes);
    this.#rest = bytes.subarray(whole.length);
    if (isUtf8(whole)) return whole.toString('utf8');
    let grown = 0;
    return whole.toString('latin1').replace(sequences, (found, pair, half, single, offset: number) => {
      const text = textOfSequence(found, pair, half, single);
      const code = half === undefined ? 'invalid_utf8' : 'lone_surrogate';
      if (pair ?? half ?? single) this.#repairs.push({ code, offset: offset + grown });
      grown += text.length - found.length;
      return text;
    });
  }

  #utf16(bytes: Buffer, isLast: boolean, order: 'le' | 'be'): string {
    const end = isLast ? bytes.length - (bytes.length % 2) : wholeUnits(bytes, order);
    this.#rest = isLast ? Buffer.alloc(0) : bytes.subarray(end);
    const units = Buffer.from(bytes.subarray(0, end));
    return (order === 'le' ? units : units.swap16()).toString('utf16le');
  }

  #finish(decoded: string): string {
    let text = decoded;
    if (forbidden.test(text)) text = this.#without(text, allForbidden, 'control_character');
    if (!text.isWellFormed()) text = this.#without(text, loneSurrogates, 'lone_surrogate');
    if (this.#repairs.length > 0) this.notices.push(...noticesOf(this.#repairs, decoded, this.#file, this.#line));
    this.#repairs = [];
    this.#line += lineEnds(text, 0, text.length);
    return text;
  }

  #without(text: string, all: RegExp, code: TextRepair['code']): string {
    let line = this.#line;
    let at = 0;
    const lines = new Set<number>();
    return text.replace(all, (_, offset: number) => {
      line += lineEnds(text, at, offset);
      at = offset;
      if (!lines.has(line)) this.notices.push(repairNotice(code, this.#file, line));
      lines.add(line);
      return '';
    });
  }
}

function textOfSequence(found: string, pair?: string, half?: string, single?: string): string {
  if (single !== undefined) {
    const code = single.charCodeAt(0);
    return code < 0xa0 ? (windows1252[code - 0x80] ?? single) : single;
  }
  if (half !== undefined) return '';
  if (pair === undefined) return Buffer.from(found, 'latin1').toString('utf8');
  const unit = (at: number) => 0xd000 | ((pair.charCodeAt(at) & 0x3f) << 6) | (pair.charCodeAt(at + 1) & 0x3f);
  return String.fromCharCode(unit(1), unit(4));
}

/** What ends with a whole character, or with bytes that are none in any case. */
function wholeCharacters(bytes: Buffer): Buffer {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < size ? bytes.subarray(0, length - back) : bytes;
  }
  return bytes;
}

function wholeUnits(bytes: Buffer, order: 'le' | 'be'): number {
  const even = bytes.length - (bytes.length % 2);
  if (even < 2) return 0;
  const high = bytes[order === 'le' ? even - 1 : even - 2] ?? 0;
  return (high & 0xfc) === 0xd8 ? even - 2 : even;
}

function isMark(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** With a byte order mark, or as the first sign of any XML shows it. */
function utf16Of(bytes: Buffer): 'le' | 'be' | null {
  if (isMark(bytes)) return bytes[0] === 0xff ? 'le' : 'be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'le';
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'be' : null;
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
