import { type LiveInterface, listLength, routeAddress } from './live-discovery.ts';
import { type AskLive, type LiveAnswer, LiveFailure } from './live-requests.ts';
import { type LiveRow, liveText, row, rows } from './live-rows.ts';
import { SourceFault, type SourceNotice, type SourcePart, type SourceRecord } from './records.ts';

/** One reading of a live site. */
export interface LiveReading {
  readonly site: LiveInterface;
  readonly ask: AskLive;
  readonly concurrency: number;
  readonly hasAccount: boolean;
  /** Said before what comes next. */
  readonly notices: SourceNotice[];
  /** Things of which a notice was given. */
  readonly noted: Set<string>;
}

export type LiveQuery = Readonly<Record<string, string>>;

/** `opened`: what was said when the site was opened is said first, and not again. */
export function startReading(how: Omit<LiveReading, 'notices' | 'noted'>, opened?: LiveReading): LiveReading {
  return { ...how, notices: [...(opened?.notices ?? [])], noted: new Set(opened?.noted) };
}

/** A part of the stream that stands at a route. */
export function livePart({ site }: LiveReading, path: string, record: SourceRecord): SourcePart {
  return { record, place: { file: routeAddress(site, path).href, line: 0 } };
}

/** Says once for each route and code what is not given away. */
export function note(reading: LiveReading, path: string, message: string, code = 'not_allowed'): void {
  const key = `${path} ${code}`;
  if (reading.noted.has(key)) return;
  reading.noted.add(key);
  const place = { file: routeAddress(reading.site, path).href, line: 0 };
  reading.notices.push({ what: 'skipped', code, message, place });
}

/** What a route answers; null: it is refused, which is said. `quiet`: the caller knows another way. */
export async function askRoute(
  reading: LiveReading,
  path: string,
  query: LiveQuery,
  quiet = false,
): Promise<LiveAnswer | null> {
  const answer = await reading.ask(routeAddress(reading.site, path, query));
  if (answer.json === undefined) throw notJson(answer);
  if (answer.status < 300) return answer;
  // A page beyond the last is refused: the list became shorter.
  const isBeyond = answer.status === 400 && Number(query['page'] ?? 1) > 1;
  if (!quiet && !isBeyond) refused(reading, path, answer);
  return null;
}

function refused(reading: LiveReading, path: string, { status, json }: LiveAnswer): void {
  // One notice for a route, not one for each item.
  const route = path.replace(/\/\d+(?=\/|$)/g, '/{id}');
  const who = reading.hasAccount ? 'this account' : 'somebody without an account';
  note(reading, route, `is not given to ${who} (${status} ${liveText(row(json)['code'])}).`);
}

function notJson({ url, status }: LiveAnswer): SourceFault {
  return new SourceFault(
    'not_an_interface',
    `${url} answers with status ${status} and something that is no JSON, perhaps a page that asks who you are. ` +
      'See what a browser shows there, let this address through, and read it again.',
  );
}

/** All pages of a list, by ascending id so that what is added meanwhile moves nothing. */
export async function* livePages(
  reading: LiveReading,
  path: string,
  query: LiveQuery,
): AsyncGenerator<readonly LiveRow[]> {
  let last = 0;
  for (let page = 1; ; page++) {
    const paged = { ...query, orderby: 'id', order: 'asc', per_page: '100', page: String(page) };
    const answer = await askRoute(reading, path, paged);
    if (answer === null) return;
    const all = rows(answer.json);
    const fresh = all.filter(({ id }) => typeof id !== 'number' || id > last);
    if (fresh.length > 0) yield fresh;
    // It answers the same page again.
    else if (all.length > 0) return;
    last = Math.max(last, ...all.map(({ id }) => Number(id) || 0));
    const pages = listLength(answer.headers, 'totalpages');
    if (pages === null ? all.length < 100 : page >= pages) return;
  }
}

/** How many things a list has; null: it is refused. */
export async function countOf(reading: LiveReading, path: string, query: LiveQuery): Promise<number | null> {
  const answer = await askRoute(reading, path, { ...query, per_page: '1', _fields: 'id' }, true);
  return answer && (listLength(answer.headers, 'total') ?? 0);
}

/**
 * The rows of a list with some ids, at most a hundred. Null: the list is refused. If the server fails at them, those that it fails at by
 * themselves are left out, which is said.
 */
export async function rowsWithIds(
  reading: LiveReading,
  path: string,
  query: LiveQuery,
  ids: readonly number[],
  quiet: boolean,
): Promise<readonly LiveRow[] | null> {
  const asked = { ...query, include: ids.join(','), per_page: '100', orderby: 'id', order: 'asc' };
  try {
    const answer = await askRoute(reading, path, asked, quiet);
    return answer && rows(answer.json);
  } catch (error) {
    if (!(error instanceof LiveFailure) || error.status !== 500) throw error;
    if (ids.length === 1) {
      note(reading, `${path}/${ids[0]}`, 'cannot be read, since the server fails at it (500).', 'server_failure');
      return [];
    }
    const half = Math.ceil(ids.length / 2);
    const first = await rowsWithIds(reading, path, query, ids.slice(0, half), quiet);
    const second = await rowsWithIds(reading, path, query, ids.slice(half), quiet);
    return first && second && [...first, ...second];
  }
}
