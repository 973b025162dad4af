import type { Params } from './table.ts';

/** Variables beyond these are dropped, as are deeper brackets. */
const MOST_VARIABLES = 1000;
const MOST_BRACKETS = 64;
const INDEX = /^(?:0|-?[1-9]\d{0,15})$/;

/** A list or map while its members come in; a list of keys that are all whole numbers becomes an array. */
interface Branch {
  readonly members: Map<string, string | Branch>;
  next: number;
}

/**
 * Query strings and forms as the reference system reads them: `a[]=1`, `a[5]=1`, `a[x][y]=1`; the last of several
 * wins; dots and blanks in names become `_`.
 */
export function parseQuery(text: string): Params {
  if (text === '') return Object.create(null);
  const collector = collectVariables();
  for (const pair of text.split('&', MOST_VARIABLES + 1)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals === -1) collector.add(decode(pair), '');
    else collector.add(decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)));
  }
  return collector.params();
}

/** Puts variables together whose names may have brackets. */
export function collectVariables(): {
  readonly add: (name: string, value: string) => void;
  readonly params: () => Params;
} {
  const root: Branch = newBranch();
  let count = 0;
  return {
    add: (name, value) => {
      count += 1;
      const path = count > MOST_VARIABLES ? null : bracketPath(name);
      if (path !== null) put(root, path, value);
    },
    params: () => {
      const out: Params = Object.create(null);
      for (const [name, member] of root.members) out[name] = typeof member === 'string' ? member : closed(member);
      return out;
    },
  };
}

/** `a[x][]` → `['a', 'x', '']`; null for what names nothing. Anything after a closing bracket but another is ignored. */
function bracketPath(name: string): string[] | null {
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
    if (path.length > MOST_BRACKETS) return null;
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
  return values.every(([key]) => INDEX.test(key)) ? values.map(([, value]) => value) : Object.fromEntries(values);
}

function newBranch(): Branch {
  return { members: new Map(), next: 0 };
}

/** Percent escapes that make no UTF-8 become replacement characters, as they would in a body. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLoosely(spaced);
  }
}

function decodeLoosely(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const unescaped = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(unescaped, 'latin1').toString('utf8');
}
