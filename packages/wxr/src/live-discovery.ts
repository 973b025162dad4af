import { Parser } from 'htmlparser2';
import { type AskLive, isSameSite, type LiveAnswer } from './live-requests.ts';
import { isRow, type LiveRow, liveText } from './live-rows.ts';
import { SourceFault } from './records.ts';

/** The interface of a live site. */
export interface LiveInterface {
  /** Address of its index. */
  readonly root: URL;
  readonly index: LiveRow;
  readonly routes: ReadonlySet<string>;
  /** Namespace of posts, such as `cms/v2`. */
  readonly namespace: string;
}

const usualRoots = ['cms-json/', 'wp-json/', '?rest_route=/'];

/** Finds the interface of a site: at the address, where its page says that it is, or at one of the usual places. */
export async function findInterface(address: URL, ask: AskLive): Promise<LiveInterface> {
  const first = await ask(address);
  const there = interfaceOf(first);
  if (there) return there;
  const named = first.json === undefined ? linksOf(first) : [];
  const below = new URL(address);
  below.search = below.hash = '';
  if (!below.pathname.endsWith('/')) below.pathname += '/';
  const usual = usualRoots.map((path) => new URL(path, below));
  for (const url of [...named.filter((one) => isSameSite(address, one)), ...usual]) {
    const found = interfaceOf(await ask(url));
    if (found) return found;
  }
  const other = named.find((url) => !isSameSite(address, url));
  const hint = other
    ? `Its page names ${other}: if that is its interface, give that address.`
    : 'Give the address of its interface.';
  throw new SourceFault(
    'not_an_interface',
    `${address} answers, but not with the index of an interface, which has namespaces and routes. ${hint}`,
  );
}

/** The address of a route of an interface. */
export function routeAddress({ root }: LiveInterface, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(root);
  if (url.searchParams.has('rest_route')) url.searchParams.set('rest_route', path);
  else url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function interfaceOf({ status, url, json }: LiveAnswer): LiveInterface | null {
  if (status !== 200 || !isRow(json) || !Array.isArray(json['namespaces']) || !isRow(json['routes'])) return null;
  const routes = new Set(Object.keys(json['routes']));
  const namespace = json['namespaces']
    .map(String)
    .find((name) => routes.has(`/${name}/posts`) && routes.has(`/${name}/types`));
  if (namespace === undefined) {
    throw new SourceFault(
      'not_an_interface',
      `${url} is the index of an interface without posts and types, so there is nothing to read.`,
    );
  }
  const { routes: _, ...index } = json;
  return { root: url, index, routes, namespace };
}

/** What a page says about itself with relations that are addresses: the one of the interface is among them. */
function linksOf({ headers, text: page, url }: LiveAnswer): URL[] {
  const found = new Set<string>();
  for (const [, target = '', rest = ''] of (headers.get('link') ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/\brel="?https?:/.test(rest)) found.add(target);
  }
  const parser = new Parser({
    onopentag(name, { rel = '', href = '' }) {
      if (name === 'link' && /^https?:/.test(rel)) found.add(href);
    },
  });
  parser.end(page);
  return [...found].flatMap((target) => (URL.canParse(target, url.href) ? [new URL(target, url)] : [])).slice(0, 5);
}

/** What a list says about its length in headers, which have other names at each family; null: it does not say. */
export function listLength(headers: Headers, what: 'total' | 'totalpages'): number | null {
  const found = [...headers].find(([name, value]) => name.endsWith(`-${what}`) && /^\d+$/.test(value));
  return found ? Number(liveText(found[1])) : null;
}
