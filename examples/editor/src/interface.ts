import apiFetch from '@wordpress/api-fetch';
import { dispatch } from '@wordpress/data';
import { store as notices } from '@wordpress/notices';

/**
 * The packages know the interface by the names of its family. This sends their requests to a store by its own names, with the log-in of the
 * session, and with `If-Match`, so that nobody overwrites what somebody else has written meanwhile.
 */

type Options = Parameters<typeof apiFetch.defaultFetchHandler>[0];

/** What the store said when it refused a request. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

const LOGIN = 'login';
const CHANGED =
  'Somebody else has changed this since you opened it, so your changes were not saved over theirs. Load their version: this browser keeps yours as a backup, and offers it then.';

/** The entity tags of what this page has read to edit it, and written, by path. */
const tags = new Map<string, string>();

export function isLoggedIn(): boolean {
  return sessionStorage.getItem(LOGIN) !== null;
}

/** The password is kept for this tab, until it is closed. */
export async function logIn(login: string, password: string): Promise<void> {
  const bytes = new TextEncoder().encode(`${login}:${password}`);
  sessionStorage.setItem(LOGIN, `Basic ${btoa(String.fromCharCode(...bytes))}`);
  try {
    await apiFetch({ path: '/wp/v2/users/me' });
  } catch (refused) {
    logOut();
    throw refused;
  }
}

export function logOut(): void {
  sessionStorage.removeItem(LOGIN);
}

function authorization(): Record<string, string> {
  const login = sessionStorage.getItem(LOGIN);
  return login === null ? {} : { authorization: login };
}

export async function send({ url, path, data, body, method = 'GET', parse = true, ...rest }: Options) {
  const address = url === undefined ? addressOf(path ?? '/') : url.replace(/^.*?(?=\/cms-json\/)/, '');
  const item = /\/cms\/v2\/[\w-]+\/\d+/.exec(address)?.[0];
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const headers = new Headers({ ...rest.headers, ...authorization() });
  if (data !== undefined) headers.set('content-type', 'application/json');
  const tag = tags.get(item ?? '');
  if (!isRead && tag !== undefined) headers.set('if-match', tag);
  const sent = data === undefined ? (body ?? null) : JSON.stringify(data, ourPaths);
  const answer = await fetch(address, { ...rest, method, headers, body: sent, credentials: 'omit' });
  if (item !== undefined && answer.ok) {
    if (!isRead) await rememberWritten(item, answer.headers.get('x-cms-position') ?? '');
    else if (!tags.has(item) && isForEditing(item, address)) remember(item, answer);
  }
  return finish(answer, parse);
}

/** The editor hides the reason of a failed save behind “Show details”. */
function sayChanged(): void {
  const actions = [{ label: 'Load their version', url: location.href }];
  dispatch(notices).createErrorNotice(CHANGED, { id: 'changed', actions });
}

/** Only what the editor begins with: what it reads later does not replace what is being written. */
function isForEditing(item: string, address: string): boolean {
  const [path = '', query] = address.split('?');
  const asked = new URLSearchParams(query);
  return path.endsWith(item) && asked.get('context') === 'edit' && !asked.has('_fields');
}

function remember(item: string, { headers }: Response): void {
  const tag = headers.get('etag');
  if (tag !== null) tags.set(item, tag);
}

/** The tag of what was written: of the item as of that write, whatever others may have written since. */
async function rememberWritten(item: string, position: string): Promise<void> {
  tags.delete(item);
  const address = `/cms-json${item}?_fields=id&as_of=${position}`;
  const answer = await fetch(address, { headers: authorization(), credentials: 'omit' });
  if (answer.ok) remember(item, answer);
}

async function finish(answer: Response, parse: boolean) {
  const text = await answer.text();
  const value = text === '' ? null : JSON.parse(text, theirNames);
  if (answer.status === 412) sayChanged();
  if (parse && answer.ok) return value;
  if (parse) throw value;
  const headers = [...answer.headers].map(([name, of]): [string, string] => [name.replace(/^x-cms-/, 'x-wp-'), of]);
  const response = new Response(text && JSON.stringify(value), { status: answer.status, headers });
  if (!answer.ok) throw response;
  return response;
}

function addressOf(path: string): string {
  const ours = path.replace(/^\/?(wp(?=\/|-block-editor\/))?/, (_, isTheirs) => (isTheirs ? '/cms' : '/'));
  return `/cms-json${ours.replace(/(?<=[?&]_embed=[^&]*)wp(?=:|%3A)/g, 'cms')}`;
}

/** For JSON: a batch has paths in its requests. */
function ourPaths(key: string, value: unknown): unknown {
  return key === 'path' && typeof value === 'string' ? value.replace(/^\/wp\//, '/cms/') : value;
}

function theirNames(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (key === '_links' || key === '_embedded') {
    return Object.fromEntries(Object.entries(value).map(([rel, to]) => [rel.replace(/^cms:/, 'wp:'), to]));
  }
  return isUnseen(value)
    ? { ...value, link: `${location.origin}/preview.php?type=${value.type}s&item=${value.id}` }
    : value;
}

/** Whether it is a post or page that only a preview shows: the pages of the store would ask for the log-in again. */
function isUnseen(value: object): value is { readonly id: number; readonly type: 'page' | 'post' } {
  const { status, type, link } = value as { status?: string; type?: string; link?: string };
  return link !== undefined && ['draft', 'pending'].includes(status ?? '') && ['page', 'post'].includes(type ?? '');
}

apiFetch.setFetchHandler(send as typeof apiFetch.defaultFetchHandler);
