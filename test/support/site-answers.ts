import { siteRecords } from '#ops/migrate/site-records.ts';
import type { ReachedSite } from './moved-sites.ts';
import type { As } from './site.ts';

/** A collection of a site with all that its fields say to an administrator, as its own interface names it. */
async function listOf({ site, names }: ReachedSite, path: string, as: As = 'administrator') {
  const below = `/${names.root}/${names.namespaces['cms/v2'] ?? 'cms/v2'}${path}`;
  const all: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const query = `${below.includes('?') ? '&' : '?'}context=edit&per_page=100&orderby=id&order=asc&page=${page}`;
    const response = await fetch(`http://127.0.0.1:${site.port}${below}${query}`, {
      headers: { authorization: site.authorization(as) },
    });
    const body = (await response.json()) as Record<string, unknown>[] | Record<string, unknown>;
    if (!Array.isArray(body)) {
      if (response.status === 200) return [body];
      throw new Error(`${path}: ${JSON.stringify(body)}`);
    }
    all.push(...body);
    if (body.length < 100) return all;
  }
}

const lists = [
  ...['/posts', '/pages', '/blocks', '/navigation', '/menu-items'].map((path) => `${path}?status=any,trash`),
  ...['/media?status=inherit,private,trash', '/categories', '/tags', '/menus', '/users', '/settings'],
  ...['/comments?status=all', '/comments?status=spam', '/comments?status=trash', '/comments?type=note&status=all'],
];

/**
 * What a site answers to an administrator about all that it has. Addresses of the site are the same for every site, and what says how an
 * item was reached is left out.
 */
export async function allAnswers(reached: ReachedSite): Promise<Readonly<Record<string, readonly object[]>>> {
  const answers: Record<string, readonly object[]> = {};
  const read = async (path: string) => {
    const found = await listOf(reached, path);
    answers[path] = found.map((one) => withoutAddresses(one, reached));
    return found;
  };
  for (const path of lists) {
    const found = await read(path);
    const [collection] = path.split('?');
    if (!/^\/(?:posts|pages|blocks|navigation)\?/.test(path)) continue;
    for (const { id } of found) await read(`${collection}/${id}/revisions`);
  }
  for (const path of ['/templates', '/template-parts', '/global-styles/1']) await read(path);
  return answers;
}

/** What a site says of itself, its accounts and its items beyond what its interface shows of them. */
export function namesAndTimes({ site, address }: ReachedSite): readonly string[] {
  const told = [...siteRecords(site.node.store.reader, site.node.log, 'plain')].flatMap((one) => {
    if (one.kind === 'site') return [[one.title, one.description]];
    if (one.kind === 'author') return [[one.login, one.displayName, one.firstName, one.lastName, one.url]];
    if (one.kind !== 'item' || !['post', 'page'].includes(one.type)) return [];
    const slug = one.meta.find(({ key }) => key === '_wp_desired_post_slug')?.value;
    return [[one.id, one.slug, one.link, one.date, one.dateGmt, one.modifiedGmt, one.author.name, slug]];
  });
  return told.map((one) => JSON.stringify(one).replaceAll(address, ''));
}

/** What differs in the answers of two sites, as `list id field`; ids of accounts and comments are not named. */
export function differing(
  one: Readonly<Record<string, readonly object[]>>,
  other: Readonly<Record<string, readonly object[]>>,
): readonly string[] {
  const found = new Set<string>();
  for (const path of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const name = path.replace(/\?.*/, '');
    const [before, after] = [one, other].map(
      (all) => new Map((all[path] ?? []).map((item, i) => [idIn(item) ?? i, item])),
    );
    for (const id of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      const [was, is] = [before?.get(id), after?.get(id)] as Record<string, unknown>[];
      const at = /^.(?:users|comments|templates|template-parts)$/.test(name) ? name : `${name} ${id}`;
      if (was === undefined) found.add(`${at} more`);
      else if (is === undefined) found.add(`${at} less`);
      else
        for (const field of Object.keys({ ...was, ...is }))
          if (!isSame(was[field], is[field])) found.add(`${at} ${field}`);
    }
  }
  return [...found].sort();
}

const idIn = (item: object) => (item as { readonly id?: unknown }).id;
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function withoutAddresses(of: object, { address }: ReachedSite): object {
  const { _links, ...all } = of as Record<string, unknown>;
  const text = JSON.stringify(all);
  const escaped = JSON.stringify(address.replaceAll('/', '\\/')).slice(1, -1);
  return JSON.parse(text.replaceAll(address, 'http://site.example').replaceAll(escaped, 'http:\\\\/\\\\/site.example'));
}
