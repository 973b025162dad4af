import { convertible } from './shapes.ts';

/** Parameters by name, as sent: texts, lists and maps. */
export type Params = Record<string, unknown>;

/** Further variables are dropped, as are deeper brackets. */
const MAX_VARIABLES = 1000;
const MAX_BRACKETS = 64;
/** In characters; longer names are dropped. */
const LONGEST_NAME = 4096;
const SHORT_TEXT = 256;
const PERCENT = 0x25;
const INDEX = /^(?:0|-?[1-9]\d{0,15})$/;

/** A list or map under construction; becomes an array if all its keys are whole numbers. */
interface Branch {
  readonly members: Map<string, string | Branch>;
  next: number;
}

/**
 * Parses query strings and forms as the reference system does: `a[]=1`, `a[5]=1`, `a[x][y]=1`; the last of several values wins;
 * dots and spaces in names become `_`.
 */
export function parseQuery(text: string): Params {
  if (text === '') return Object.create(null);
  const collector = collectVariables();
  for (const pair of text.split('&', MAX_VARIABLES + 1)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals === -1) collector.add(decode(pair), '');
    else collector.add(decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)));
  }
  return collector.params();
}

export function collectVariables(): {
  readonly add: (name: string, value: string) => void;
  readonly params: () => Params;
} {
  const root: Branch = newBranch();
  let count = 0;
  return {
    add: (name, value) => {
      count += 1;
      const path = count > MAX_VARIABLES ? null : bracketPath(name);
      if (path !== null) put(root, path, value);
    },
    params: () => {
      const out: Params = Object.create(null);
      for (const [name, member] of root.members) out[name] = typeof member === 'string' ? member : closed(member);
      return out;
    },
  };
}

/** `a[x][]` → `['a', 'x', '']`; null for an empty or overlong name. Anything but another bracket is ignored after a closing bracket. */
function bracketPath(name: string): string[] | null {
  if (name.length > LONGEST_NAME) return null;
  const open = name.indexOf('[', 1);
  const close = open === -1 ? -1 : name.indexOf(']', open);
  if (close === -1) return plainName(name);
  const path = plainName(name.slice(0, open));
  if (path === null) return null;
  let start = open;
  while (name[start] === '[') {
    const end = name.indexOf(']', start);
    if (end === -1) break;
    path.push(name.slice(start + 1, end));
    if (path.length > MAX_BRACKETS) return null;
    start = end + 1;
  }
  return path;
}

function plainName(name: string): string[] | null {
  const plain = /[ .[]/.test(name) ? name.replace(/^ +/, '').replace(/[ .[]/g, '_') : name;
  return plain === '' ? null : [plain];
}

function put(root: Branch, path: readonly string[], value: string): void {
  let branch = root;
  for (const [depth, part] of path.entries()) {
    const key = part === '' && depth > 0 ? String(branch.next) : part;
    if (INDEX.test(key)) branch.next = Math.max(branch.next, Number(key) + 1);
    if (depth === path.length - 1) {
      branch.members.set(key, value);
      return;
    }
    const known = branch.members.get(key);
    const next = known === undefined || typeof known === 'string' ? newBranch() : known;
    branch.members.set(key, next);
    branch = next;
  }
}

function closed({ members }: Branch): unknown {
  const values = [...members].map(
    ([key, member]) => [key, typeof member === 'string' ? member : closed(member)] as const,
  );
  return values.every(([key]) => INDEX.test(key))
    ? values.map(([, value]) => value)
    : convertible(Object.fromEntries(values));
}

function newBranch(): Branch {
  return { members: new Map(), next: 0 };
}

/** Percent escapes that are not valid UTF-8 become replacement characters, as they would in a body. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (spaced.length > SHORT_TEXT) return decodeBytes(spaced);
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeBytes(spaced);
  }
}

/** Faster for long texts, and never fails. */
function decodeBytes(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  let size = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    const value = byte === PERCENT ? (hexDigit(bytes[i + 1]) << 4) | hexDigit(bytes[i + 2]) : -1;
    bytes[size] = value < 0 ? byte : value;
    size += 1;
    if (value >= 0) i += 2;
  }
  return bytes.toString('utf8', 0, size);
}

/** -1, with all bits set, for any other character. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const low = byte | 0x20;
  return low >= 0x61 && low <= 0x66 ? low - 0x57 : -1;
}
