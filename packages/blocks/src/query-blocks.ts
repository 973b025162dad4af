export interface QueryBlock {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly template: string;
}

const MARK = 'bldQueryId';
const OPENER = /<!--\s+([a-z][\w-]*):((?:[a-z][\w-]*-)?builder\/posts)\s+(?=\{)/g;
const END = /\}\s+-->/g;
/** Maximum number of blocks examined per text. */
const MOST = 100;

/** Blocks that list posts and can load more of them, in order; only the first block with each id. */
export function queryBlocksIn(content: string): readonly QueryBlock[] {
  return placedIn(content).map(({ block }) => block);
}

/** Replaces each query block of a text; nested ones are part of the outer one. */
export function replaceQueryBlocks(content: string, make: (block: QueryBlock) => string): string {
  let at = 0;
  let made = '';
  for (const { block, start, end } of placedIn(content)) {
    if (start < at) continue;
    made += content.slice(at, start) + make(block);
    at = end;
  }
  return made + content.slice(at);
}

interface Placed {
  readonly block: QueryBlock;
  readonly start: number;
  readonly end: number;
}

function placedIn(content: string): readonly Placed[] {
  if (!content.includes(MARK)) return [];
  const found = new Map<string, Placed>();
  const opener = new RegExp(OPENER);
  for (let seen = 0; seen < MOST; seen++) {
    const head = opener.exec(content);
    if (head === null) break;
    const [, prefix = '', name = ''] = head;
    const end = new RegExp(END);
    end.lastIndex = opener.lastIndex;
    const last = end.exec(content);
    // Without an end here, later blocks have none either.
    if (last === null) break;
    const closer = `<!-- /${prefix}:${name} -->`;
    const close = content.indexOf(closer, end.lastIndex);
    const attributes = attributesIn(content.slice(opener.lastIndex, last.index + 1));
    opener.lastIndex = end.lastIndex;
    const id = attributes?.[MARK];
    if (attributes === null || typeof id !== 'string' || id === '' || close < 0 || found.has(id)) continue;
    const block = { id, attributes, template: content.slice(end.lastIndex, close) };
    found.set(id, { block, start: head.index, end: close + closer.length });
  }
  return [...found.values()];
}

function attributesIn(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
