/** Where things of a source are now. Absent members change nothing. */
export interface ReferenceMap {
  /** Hosts of the source with their ports, such as `example.com`, with or without a leading `www.`. */
  readonly hosts: readonly string[];
  /**
   * The new address of one below a host of the source, without fragment and without a query other than the number of an item, as in `?p=12`;
   * undefined: it stays as it is.
   */
  readonly address?: (address: URL) => string | undefined;
  readonly item?: (id: number) => number;
  readonly term?: (id: number) => number;
  readonly user?: (id: number) => number;
}

type Series = 'item' | 'term' | 'user';

/**
 * Changes the addresses and ids in a text with blocks, HTML and shortcodes; all else stays byte for byte. `base`: the address of what the text
 * belongs to, which relative addresses are of; '': unknown.
 */
export function mapReferences(text: string, map: ReferenceMap, base = ''): string {
  const addressed = map.address === undefined ? text : mapAddresses(text, map, base);
  return map.item === undefined && map.term === undefined && map.user === undefined
    ? addressed
    : mapIds(addressed, map);
}

/** What ends an address within an attribute whose quotes are escaped. */
const ESCAPED_END = /&(?:quot|#0?3[49]|#x2[27]|lt|gt);/i;
const TAIL = /[?#]|&#0?38;/;
/** A query that names an item by its number alone. */
const NUMBERED = /^\?(?:p|page_id|attachment_id)=\d{1,15}(?=#|$)/;
/** An attribute or style with an address that begins with no host. */
const RELATIVE =
  /(\s(?:href|src|poster|action|data-(?:src|href|full-url|link|(?:large|medium|orig)-file))=["']|url\(["']?|"(?:url|href|src|link|mediaUrl|mediaLink)":")((?!\/\/|#|[a-z][a-z0-9+.-]*:)[^\s"'()<>]+)/gi;

function mapAddresses(text: string, map: ReferenceMap, base: string): string {
  const { hosts, address } = map;
  if (address === undefined) return text;
  const named = hosts.map((host) => host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const absolute = new RegExp(
    `((?:https?:)?)(\\\\?/)\\2(${named})(?![\\w:-]|\\.\\w)((?:\\\\?[/?#][^\\s"'<>()\\\\/?#]*)*)`,
    'gi',
  );
  const mapped = text.replace(absolute, (whole, scheme: string, slash: string, host: string, found: string) => {
    const isEscaped = slash.length > 1;
    const end = ESCAPED_END.exec(found)?.index ?? found.length;
    const rest = (isEscaped ? found.replaceAll('\\/', '/') : found).slice(0, isEscaped ? undefined : end);
    const moved = mapOne(`${scheme || 'https:'}//${host}`, rest, address);
    if (moved === null) return whole;
    const shown = scheme === '' ? moved.replace(/^https?:/, '') : moved;
    return (isEscaped ? shown.replaceAll('/', '\\/') : shown) + (isEscaped ? '' : found.slice(end));
  });
  return base === ''
    ? mapped
    : mapped.replace(RELATIVE, (whole, before: string, found: string) => {
        const moved = relativeMoved(found, base, address);
        return moved === null ? whole : before + moved;
      });
}

/** Punctuation behind an address that is none of it is left as it is. */
function mapOne(host: string, rest: string, address: (url: URL) => string | undefined): string | null {
  const cut = TAIL.exec(rest)?.index ?? rest.length;
  const [path, tail] = [rest.slice(0, cut), rest.slice(cut)];
  const [numbered] = NUMBERED.exec(tail) ?? [];
  if (numbered !== undefined) {
    const url = URL.parse(host + path + numbered);
    const moved = url === null ? undefined : address(url);
    return moved === undefined ? null : moved + tail.slice(numbered.length);
  }
  const bare = path.replace(/[.,;:!]{1,3}$/, '');
  for (const one of new Set([bare, path])) {
    const url = URL.parse(host + one);
    const moved = url === null ? undefined : address(url);
    if (moved !== undefined) return moved + path.slice(one.length) + tail;
  }
  return null;
}

function relativeMoved(found: string, base: string, address: (url: URL) => string | undefined): string | null {
  const tail = TAIL.exec(found)?.index ?? found.length;
  const cut = tail + (NUMBERED.exec(found.slice(tail))?.[0].length ?? 0);
  const url = URL.parse(found.slice(0, cut), base);
  const moved = cut === 0 || url === null ? undefined : address(url);
  if (moved === undefined || moved === url?.href) return null;
  const target = new URL(moved);
  // Below the same host it stays a path.
  return target.pathname + target.search + found.slice(cut);
}

const WORDS: readonly (readonly [pattern: RegExp, of: Series])[] = [
  [/(?<=\bwp-(?:image|att)-)\d{1,15}\b/g, 'item'],
  [/(?<=\b(?:caption-attachment-|attachment_))\d{1,15}\b/g, 'item'],
  [/(?<=\sdata-id=["'])\d{1,15}(?=["'])/g, 'item'],
];
const SHORTCODE = /\[(?:gallery|playlist)\b[^\]]{0,10000}\]/g;
const SHORTCODE_IDS = /(?<=\s(?:ids|id|include|exclude)=["']?)[\d, ]{1,5000}/g;

function mapIds(text: string, map: ReferenceMap): string {
  const numbered = (of: Series) => (id: string) => String(map[of]?.(Number(id)) ?? id);
  let mapped = inBlocks(text, map);
  for (const [pattern, of] of WORDS) mapped = mapped.replace(pattern, numbered(of));
  return mapped.replace(SHORTCODE, (code) =>
    code.replace(SHORTCODE_IDS, (list) => list.replace(/\d{1,15}/g, numbered('item'))),
  );
}

const BLOCK = '<!-- wp:';

/** Changes the ids in the attributes of blocks. */
function inBlocks(text: string, map: ReferenceMap): string {
  let done = '';
  let from = 0;
  for (let at = text.indexOf(BLOCK); at >= 0; at = text.indexOf(BLOCK, Math.max(at + 1, from))) {
    const end = text.indexOf('-->', at);
    if (end < 0) break;
    const brace = text.indexOf('{', at);
    if (brace < 0 || brace > end) continue;
    const json = text.slice(brace, text.lastIndexOf('}', end) + 1);
    const name = text.slice(at + BLOCK.length, brace).trim();
    const changed = inAttributes(json, name.includes('/') ? name : `core/${name}`, map);
    done += text.slice(from, brace) + changed;
    from = brace + json.length;
  }
  return done + text.slice(from);
}

function inAttributes(json: string, block: string, map: ReferenceMap): string {
  let done = '';
  let from = 0;
  for (const { path, start, end } of numbersIn(json)) {
    const of = seriesOf(block, path, json);
    const id = json.slice(start, end);
    if (of === null || map[of] === undefined) continue;
    done += json.slice(from, start) + String(map[of](Number(id)));
    from = end;
  }
  return done + json.slice(from);
}

const OWN_ID = new Set(['core/image', 'core/cover', 'core/audio', 'core/file', 'core/video']);
const LINKS = new Set(['core/navigation-link', 'core/navigation-submenu', 'core/home-link']);
/** Names of ids of files in blocks of anybody. */
const FILE_ID = /^(?:media|image|img|attachment|poster|background(?:Image|Media)?|featuredImage|thumbnail)(?:Id|ID)s?$/;

/** What a number in the attributes of a block is the id of; null: it is none. */
function seriesOf(block: string, path: readonly string[], json: string): Series | null {
  const [first = '', second = '', third = ''] = path;
  const last = path.at(-1) ?? '';
  if (path.some((name) => FILE_ID.test(name))) return 'item';
  if (!block.startsWith('core/')) return null;
  if (first === 'ref' || first === 'parentPageID') return 'item';
  if (first === 'id' && path.length === 1 && OWN_ID.has(block)) return 'item';
  if (first === 'id' && LINKS.has(block)) return /"kind":\s*"taxonomy"/.test(json) ? 'term' : 'item';
  if (block === 'core/gallery' && (first === 'ids' || (first === 'images' && last === 'id'))) return 'item';
  if (first === 'style' && path.includes('backgroundImage') && last === 'id') return 'item';
  if (first === 'userId' || first === 'selectedAuthor') return 'user';
  if (first === 'categories' && last === 'id') return 'term';
  if (first !== 'query') return null;
  if (second === 'exclude' || second === 'parents') return 'item';
  if (second === 'author') return 'user';
  return second === 'categoryIds' || second === 'tagIds' || (second === 'taxQuery' && third !== '') ? 'term' : null;
}

/** A number in a JSON text, also one that is a string of digits alone or of digits and commas, by parts. */
interface PlacedNumber {
  /** Names of the members that lead to it; those of lists are ''. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;
const DIGITS = /\d{1,15}/g;

/** Finds the whole numbers of a JSON text in place, so that it can be changed without writing all of it anew. */
function* numbersIn(json: string): Generator<PlacedNumber> {
  const path: string[] = [];
  const lists: boolean[] = [];
  let isName = false;
  for (const match of json.matchAll(TOKEN)) {
    const [token] = match;
    if (token === '{' || token === '[') {
      lists.push(token === '[');
      path.push('');
      isName = token === '{';
    } else if (token === '}' || token === ']') {
      lists.pop();
      path.pop();
      isName = false;
    } else if (token === ',') isName = lists.at(-1) === false;
    else if (token === ':') isName = false;
    else if (isName) path[path.length - 1] = token.slice(1, -1);
    else yield* within(token, match.index, path);
  }
}

function* within(token: string, index: number, path: readonly string[]): Generator<PlacedNumber> {
  if (!/^(?:\d{1,15}|"\d[\d, ]*")$/.test(token)) return;
  for (const digits of token.matchAll(DIGITS)) {
    const start = index + digits.index;
    yield { path: [...path], start, end: start + digits[0].length };
  }
}
