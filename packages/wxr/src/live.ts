import { findInterface } from './live-discovery.ts';
import {
  askRoute,
  countOf,
  type LiveQuery,
  type LiveReading,
  livePages,
  livePart,
  note,
  startReading,
} from './live-lists.ts';
import {
  type LiveType,
  linksNamed,
  liveAuthorOf,
  liveStylesOf,
  liveTemplateOf,
  siteOf,
  termOf,
} from './live-records.ts';
import { createLiveRequests, type LiveSiteOptions } from './live-requests.ts';
import { liveNumber, liveText, row, rows } from './live-rows.ts';
import { type CommentList, commentLists, commentsOf, itemsOf, type LiveWay, statusQuery } from './live-things.ts';
import { type SiteSource, SourceFault, type SourcePart } from './records.ts';

/** What a live site has, as found when it is opened. */
interface LiveContents {
  readonly users: { readonly path: string; readonly query: LiveQuery } | null;
  readonly taxonomies: readonly { readonly name: string; readonly path: string; readonly query: LiveQuery }[];
  readonly types: readonly { readonly type: LiveType; readonly query: LiveQuery }[];
  readonly comments: readonly CommentList[];
  readonly total: number;
}

/** Types that are no items: read as templates and styles, or belonging to the theme. */
const noItems = ['wp_template', 'wp_template_part', 'wp_global_styles', 'wp_font_family', 'wp_font_face'];

/**
 * A live site, by its interface. `address`: of the site or of its interface. With an account, all that it may see is read, as it was
 * written; without one, what is public, as the site shows it.
 */
export async function openLiveSite(address: string, options: LiveSiteOptions = {}): Promise<SiteSource> {
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new SourceFault(
      'no_address',
      `${address} is no address of a site: it has to begin with https:// or http://.`,
    );
  }
  const hasAccount = options.user !== undefined && options.password !== undefined;
  const start = new URL(address);
  start.username = start.password = '';
  const site = await findInterface(start, createLiveRequests(start, options));
  const ask = createLiveRequests(site.root, options);
  const concurrency = options.concurrency ?? 2;
  const how = { site, ask, concurrency, hasAccount };
  if (hasAccount) await checkAccount(startReading(how));
  const opened = startReading(how);
  const contents = await contentsOf(opened);
  const feed = await feedOf(opened);
  let done = 0;
  return {
    name: address.replace(/^(\w+:\/\/)[^/?#]*@/, '$1'),
    ...(feed === null ? {} : { changed: feed }),
    form: 'site',
    total: contents.total,
    unit: 'items',
    done: () => Math.min(done, contents.total),
    file: async () => null,
    read: async function* ({ heads = false, isKnown = () => false, wants = () => true } = {}) {
      done = 0;
      const reading = startReading(how, opened);
      const logins = new Map<number, string>();
      const count = (things: number) => {
        done += things;
      };
      const way: LiveWay = { heads, isKnown, wants, count, loginOf: (id) => logins.get(id) };
      for await (const part of partsOf(reading, contents, way)) {
        yield* reading.notices.splice(0).map((notice) => ({ notice }));
        if ('record' in part && part.record.kind === 'author') logins.set(part.record.id, part.record.login);
        yield part;
      }
      yield* reading.notices.splice(0).map((notice) => ({ notice }));
    },
  };
}

/** Seconds that a server is asked to wait for a change. */
const longestPoll = 30;

/** Waits for changes by the live feed of the site, which indexes do not list; null: it has none. */
async function feedOf(reading: LiveReading): Promise<((seconds: number) => Promise<void>) | null> {
  const path = `/${reading.site.namespace}/changes`;
  const positionIn = (answer: { readonly json: unknown } | null) => row(answer?.json)['position'];
  const since = positionIn(await askRoute(reading, path, { limit: '1' }, true));
  if (typeof since !== 'number') return null;
  return async (seconds) => {
    for (let left = seconds; left > 0; left -= longestPoll) {
      const wait = String(Math.min(left, longestPoll));
      if (positionIn(await askRoute(reading, path, { since: String(since), limit: '1', wait }, true)) !== since) return;
    }
  };
}

async function checkAccount(reading: LiveReading): Promise<void> {
  const { site } = reading;
  if (await askRoute(reading, `/${site.namespace}/users/me`, {}, true)) return;
  throw new SourceFault(
    'password_refused',
    `${site.root} does not accept the user and password. Give the login of an account and an application password of it; ` +
      'if these are right, see whether the server passes the header Authorization on.',
  );
}

async function contentsOf(reading: LiveReading): Promise<LiveContents> {
  const { site, hasAccount } = reading;
  const base = `/${site.namespace}`;
  let total = 0;
  const usersPath = `${base}/users`;
  const everybody = hasAccount ? await countOf(reading, usersPath, { context: 'edit' }) : null;
  const seen = everybody ?? (await countOf(reading, usersPath, {}));
  if (everybody === null) {
    const given = seen === null ? 'is not given.' : 'gives only those who published something, without logins.';
    note(reading, usersPath, given);
  }
  total += seen ?? 0;
  const taxonomies = [];
  for (const { name, path } of await listed(reading, `${base}/taxonomies`)) {
    const edit = hasAccount ? await countOf(reading, path, { context: 'edit' }) : null;
    // A refusal is said when the list is read.
    taxonomies.push({ name, path, query: (edit === null ? {} : { context: 'edit' }) as LiveQuery });
    total += edit ?? (await countOf(reading, path, {})) ?? 0;
  }
  const fields = new Map(taxonomies.map(({ name, path }) => [path.slice(path.lastIndexOf('/') + 1), name]));
  const types = [];
  for (const { name, path } of await listed(reading, `${base}/types`)) {
    if (noItems.includes(name)) continue;
    const type = { name, path, taxonomies: fields };
    const query = (await statusQuery(reading, type)) ?? {};
    types.push({ type, query });
    total += (await countOf(reading, path, query)) ?? 0;
  }
  const comments = await commentLists(reading, `${base}/comments`);
  for (const { query } of comments.filter((one) => one.query['type'] !== 'note')) {
    total += (await countOf(reading, `${base}/comments`, query)) ?? 0;
  }
  const users =
    seen === null ? null : { path: usersPath, query: (everybody === null ? {} : { context: 'edit' }) as LiveQuery };
  return { users, taxonomies, types, comments, total };
}

/** Types or taxonomies that have a list. */
async function listed(reading: LiveReading, path: string): Promise<{ name: string; path: string }[]> {
  const answer = await askRoute(reading, path, {});
  return Object.entries(row(answer?.json)).flatMap(([name, one]) => {
    const { rest_base, rest_namespace } = row(one);
    const list = `/${liveText(rest_namespace) || reading.site.namespace}/${liveText(rest_base)}`;
    return liveText(rest_base) !== '' && reading.site.routes.has(list) ? [{ name, path: list }] : [];
  });
}

async function* partsOf(reading: LiveReading, contents: LiveContents, way: LiveWay): AsyncGenerator<SourcePart> {
  const base = `/${reading.site.namespace}`;
  const settings = await askRoute(reading, `${base}/settings`, {});
  yield livePart(reading, '/', siteOf(reading.site.index, row(settings?.json)));
  if (contents.users) {
    for await (const page of livePages(reading, contents.users.path, contents.users.query)) {
      way.count(page.length);
      yield* page.map((user) => livePart(reading, `${base}/users/${user['id']}`, liveAuthorOf(user)));
    }
  }
  for (const { name, path, query } of contents.taxonomies) {
    for await (const page of livePages(reading, path, query)) {
      way.count(page.length);
      yield* page.map((term) => livePart(reading, `${path}/${term['id']}`, termOf(term, name)));
    }
  }
  for (const { type, query } of contents.types) {
    if (way.wants('item', type.name)) yield* itemsOf(reading, type, query, way);
  }
  if (!way.heads && way.wants('template', '')) yield* templatesOf(reading, base);
  if (!way.heads && way.wants('styles', '')) yield* themeStyles(reading, base);
  if (way.wants('comment', '')) yield* commentsOf(reading, `${base}/comments`, contents.comments, way);
}

async function* templatesOf(reading: LiveReading, base: string): AsyncGenerator<SourcePart> {
  for (const [name, type] of [
    ['templates', 'wp_template'],
    ['template-parts', 'wp_template_part'],
  ] as const) {
    const path = `${base}/${name}`;
    if (!reading.site.routes.has(path)) continue;
    const answer = await askRoute(reading, path, { context: 'edit' });
    for (const one of rows(answer?.json).filter(({ source }) => source === 'custom')) {
      yield livePart(reading, `${path}/${one['id']}`, liveTemplateOf(one, type));
    }
  }
}

async function* themeStyles(reading: LiveReading, base: string): AsyncGenerator<SourcePart> {
  if (!reading.site.routes.has(`${base}/themes`)) return;
  const answer = await askRoute(reading, `${base}/themes`, { status: 'active' });
  for (const theme of rows(answer?.json)) {
    const id = linksNamed(theme, 'global-styles').flatMap((href) => /\/(\d+)$/.exec(href)?.[1] ?? [])[0];
    if (id === undefined) continue;
    const path = `${base}/global-styles/${id}`;
    const styles = await askRoute(reading, path, { context: 'edit' });
    const found =
      styles && liveStylesOf({ id: liveNumber(Number(id)), ...row(styles.json) }, liveText(theme['stylesheet']));
    if (found) yield livePart(reading, path, found);
  }
}
