/** Parsed JSON that keeps the order of members; numbers keep their source text. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonMap;

export type JsonMap = Map<string, JsonValue>;

export interface JsonNumber {
  readonly number: string;
}

interface Reader {
  readonly text: string;
  at: number;
}

const MAX_DEPTH = 512;

const BLOCK_ESCAPES: Readonly<Record<string, string>> = {
  '\\\\': '\\u005c',
  '\\"': '\\u0022',
  '--': '\\u002d\\u002d',
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
};

const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** Parses JSON; `undefined` if it is invalid or nested more than 512 levels deep. */
export function parseJson(text: string): JsonValue | undefined {
  const reader: Reader = { text, at: 0 };
  try {
    const value = readValue(reader, 0);
    skipWhite(reader);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Encodes compact JSON as the reference system does: empty objects as `[]`, objects with the keys 0, 1, 2 … as lists, slashes and
 * everything outside ASCII escaped.
 */
export function encodeJson(value: JsonValue): string {
  return encode(value, encodeStringAscii);
}

/** JSON for the opening comment of a block: nothing in it can end the comment or count as markup. */
export function encodeBlockAttributes(attributes: JsonMap): string {
  return encode(attributes, encodeString).replace(/\\\\|\\"|--|[<>&]/g, (found) => BLOCK_ESCAPES[found] ?? found);
}

function mapStrings(value: JsonValue, replace: (text: string) => string): JsonValue {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace));
  return value instanceof Map ? mapMembers(value, replace) : value;
}

/** As `mapStrings`, of an object. */
export function mapMembers(map: JsonMap, replace: (text: string) => string): JsonMap {
  const mapped: JsonMap = new Map();
  for (const [key, value] of map) mapped.set(replace(key), mapStrings(value, replace));
  return mapped;
}

function readValue(reader: Reader, depth: number): JsonValue {
  skipWhite(reader);
  const char = reader.text[reader.at];
  if (char === '{') return readObject(reader, depth + 1);
  if (char === '[') return readList(reader, depth + 1);
  if (char === '"') return readString(reader);
  return readScalar(reader);
}

function readObject(reader: Reader, depth: number): JsonMap {
  const map: JsonMap = new Map();
  readMembers(reader, { depth, end: '}' }, () => {
    const key = readString(reader);
    skipWhite(reader);
    if (reader.text[reader.at++] !== ':') throw new SyntaxError('colon expected');
    map.set(key, readValue(reader, depth));
  });
  return map;
}

function readList(reader: Reader, depth: number): JsonValue[] {
  const list: JsonValue[] = [];
  readMembers(reader, { depth, end: ']' }, () => list.push(readValue(reader, depth)));
  return list;
}

function readMembers(reader: Reader, { depth, end }: { depth: number; end: string }, read: () => void): void {
  if (depth > MAX_DEPTH) throw new SyntaxError('nested too deep');
  reader.at++;
  skipWhite(reader);
  if (reader.text[reader.at] === end) {
    reader.at++;
    return;
  }
  for (;;) {
    skipWhite(reader);
    read();
    skipWhite(reader);
    const char = reader.text[reader.at++];
    if (char === end) return;
    if (char !== ',') throw new SyntaxError('comma expected');
  }
}

function readString(reader: Reader): string {
  if (reader.text[reader.at] !== '"') throw new SyntaxError('string expected');
  let end = reader.at + 1;
  while (end < reader.text.length && reader.text[end] !== '"') end += reader.text[end] === '\\' ? 2 : 1;
  const decoded: unknown = JSON.parse(reader.text.slice(reader.at, end + 1));
  if (typeof decoded !== 'string' || !decoded.isWellFormed()) throw new SyntaxError('broken string');
  reader.at = end + 1;
  return decoded;
}

function readScalar(reader: Reader): JsonValue {
  SCALAR.lastIndex = reader.at;
  const text = SCALAR.exec(reader.text)?.[0];
  if (text === undefined) throw new SyntaxError('value expected');
  reader.at += text.length;
  if (text === 'null') return null;
  return text === 'true' || text === 'false' ? text === 'true' : { number: text };
}

function skipWhite(reader: Reader): void {
  while (' \t\n\r'.includes(reader.text[reader.at] ?? 'x')) reader.at++;
}

function encode(value: JsonValue, encodeText: (text: string) => string): string {
  if (typeof value === 'string') return encodeText(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, encodeText)).join(',')}]`;
  if (!(value instanceof Map)) return encodeNumber(value.number);
  const members = [...value];
  if (members.every(([key], i) => key === String(i))) return encode([...value.values()], encodeText);
  return `{${members.map(([key, item]) => `${encodeText(key)}:${encode(item, encodeText)}`).join(',')}}`;
}

/** Keeps 64-bit integers; writes other numbers as floating point. */
function encodeNumber(text: string): string {
  if (/^-?\d{1,19}$/.test(text) && text !== '-0' && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return text;
  const number = Number(text);
  if (Object.is(number, -0)) return '-0.0';
  return String(number).replace(/^(-?\d)e/, '$1.0e');
}

function encodeString(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, escapeUnit);
}

function encodeStringAscii(text: string): string {
  return JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
