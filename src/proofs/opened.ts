import { hash } from 'node:crypto';

/** What is opened of a proved event, and JSON of strangers. */

export type Members = Readonly<Record<string, unknown>>;

/** All sealed fields of an event, or those whose value is shown beside the digests of the others. */
export type OpenedSeal =
  | { readonly salt: string; readonly text: string }
  | {
      readonly fields: readonly (
        | readonly [name: string, digest: string]
        | readonly [name: string, salt: string, text: string]
      )[];
    };

export class BadProof extends Error {
  override readonly name = 'BadProof';
}

/** Member of the data that commits to the seals of single fields. */
const SEALS = '$seals';
/** Levels of data: more than a request may have, and fewer than readers of JSON can stand. */
const MAX_DEPTH = 600;

interface Opened {
  readonly opened: Members | null;
  /** Of all sealed fields. */
  readonly names: readonly string[];
}

/** What is opened of an event; null if it is not what was recorded. */
export function openedIn(seal: OpenedSeal, digest: string | null, data: Members): Opened | null {
  if (digest === null) return null;
  const seals = data[SEALS];
  if ('fields' in seal) return fieldsIn(seal.fields, seals);
  return seals === undefined ? wholeIn(seal, digest) : null;
}

function wholeIn({ salt, text }: { readonly salt: string; readonly text: string }, digest: string): Opened | null {
  if (!isSalt(salt) || hash('sha256', salt + text) !== digest) return null;
  const opened = membersIn(text);
  return { opened, names: Object.keys(opened) };
}

function fieldsIn(fields: readonly (readonly string[])[], seals: unknown): Opened | null {
  const names = fields.map(([name = '']) => name);
  const digests = fields.map(([name, first = '', text]) => {
    return [name, text === undefined ? first : hash('sha256', first + hash('sha256', text))];
  });
  if (new Set(names).size < names.length || hash('sha256', JSON.stringify(digests)) !== seals) return null;
  const shown = fields.filter(([, , text]) => text !== undefined);
  if (!shown.every(([, salt = '']) => isSalt(salt))) return null;
  const opened = membersIn(`{${shown.map(([name, , text]) => `${JSON.stringify(name)}:${text}`).join()}}`);
  if (Object.keys(opened).length !== shown.length) return null;
  return { opened: shown.length === 0 ? null : opened, names };
}

function isSalt(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** The members of a JSON object in which none is named twice, at any depth. */
export function membersIn(text: string): Members {
  const value = parsed(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  const named = bare.split(':').length - 1;
  if (!isObject || membersWithin(value) !== named || depthOf(bare) > MAX_DEPTH)
    throw new BadProof('its data are malformed');
  return value as Members;
}

/** `bare`: JSON without its texts. */
function depthOf(bare: string): number {
  let [level, depth] = [0, 0];
  for (const mark of bare) {
    if (mark === '{' || mark === '[') level += 1;
    if (mark === '}' || mark === ']') level -= 1;
    depth = Math.max(depth, level);
  }
  return depth;
}

function membersWithin(value: unknown): number {
  let count = 0;
  // No recursion: a stranger's file may be of any depth.
  for (const open = [value]; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Object.values(next)) open.push(inner);
    if (!Array.isArray(next)) count += Object.keys(next).length;
  }
  return count;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadProof('its row or data are no JSON');
  }
}
