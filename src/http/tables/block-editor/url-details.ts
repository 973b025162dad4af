import { isIP } from 'node:net';
import { z } from 'zod';
import { decodeReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { attributeOf, endOfElement, nextTag, type Tag } from '#blocks/tags.ts';
import { upToLast } from '#blocks/up-to-last.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous, may } from '#domain/user/roles.ts';
import { asking } from '#outgoing/asking.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import { isPublicAddress, readTarget } from '#outgoing/place.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call, Fault, Route } from '../../engine/types.ts';
import { answerPage } from '../../pages/pages.ts';
import type { FindFile } from '../../server/files.ts';

export interface UrlDetailsParts {
  readonly outgoing: Outgoing;
  readonly clock: () => number;
  readonly files: FindFile;
}

export interface OwnContent {
  readonly status: number;
  readonly body: Buffer;
}

/** How a page describes itself; '' for what it does not say. */
interface UrlDetails {
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly image: string;
}

const HOUR = 60 * 60 * 1000;

/** Pages describe themselves at their beginning. */
const maxBytes = 150 * 1024;

const PAGE = { accept: 'text/html, */*;q=0.5', maxBytes: maxBytes, cut: true } as const;

const namespace = 'cms-block-editor/v1';
const INVALID: Fault = { code: 'rest_invalid_param', message: 'Invalid parameter.', data: null, bare: true };
const refusals: Readonly<Record<Extract<Asked, string>, Refusal>> = {
  'not public': refuse('rest_invalid_param', 'Invalid parameter(s): url', {
    params: { url: INVALID.message },
    details: {},
  }),
  'no response': refuse('no_response', 'URL not found. Response returned a non-200 status code for this URL.'),
  'no content': refuse('no_content', 'Unable to retrieve body from response at this URL.'),
};

const UPLOADS = '/uploads/';

/** What editors show about a link (interface behaviour, section 42). */
export function urlDetailsRoute({ outgoing, clock, files }: UrlDetailsParts): Route<Model, Session> {
  const details = asking<URL, Asked>({
    key: (url) => url.href,
    ask: (url) => ask(url, outgoing),
    isGood: (found) => typeof found !== 'string',
    ttl: HOUR,
    clock,
  });
  const query = async ({ params, model }: Call<Model>): Promise<Answer | Refusal> => {
    const url = new URL(String(params['url']));
    const path = ownPath(url, model);
    const found = path === null ? await details(url) : await ownDetails(url, path, { model, files });
    return typeof found === 'string' ? refusals[found] : { body: { kind: 'json', value: found } };
  };
  return {
    namespace,
    pattern: `/${namespace}/url-details`,
    endpoints: [
      {
        methods: ['GET'],
        summary: 'Show title, icon, description and image of an address',
        args: {
          url: {
            schema: z.string().meta({ format: 'uri', description: 'The URL to process.' }),
            required: true,
            check,
          },
        },
        permission: ({ viewer }) =>
          may(viewer, 'edit_posts')
            ? null
            : refuse('rest_cannot_view_url_details', 'Sorry, you are not allowed to process remote URLs.'),
        query,
        answers: z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() }),
        depends: null,
      },
    ],
  };
}

async function ownDetails(url: URL, path: string, from: { model: Model; files: FindFile }): Promise<Asked> {
  const { status, body } = await ownContent(path, { ...from, max: maxBytes });
  return status === 200 ? detailsIn(body, url) : 'no response';
}

function check(value: unknown, { model }: Call<Model>): Fault | null {
  return typeof value === 'string' && (isOwn(value, model) || isForeign(value)) ? null : INVALID;
}

function isOwn(address: string, model: Model): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  return ownPath(url, model) !== null;
}

function isForeign(address: string): boolean {
  const host = readTarget(address)?.hostname ?? '[';
  return !host.startsWith('[') && (isIP(host) === 0 || isPublicAddress(host));
}

type Asked = UrlDetails | 'not public' | 'no response' | 'no content';

/** The details in a body, unless it is empty. */
function detailsIn(body: Buffer, page: URL): UrlDetails | 'no content' {
  return body.length === 0 ? 'no content' : readDetails(body.toString('utf8'), page);
}

async function ask(url: URL, outgoing: Outgoing): Promise<Asked> {
  const answer = await outgoing.get(url.href, PAGE);
  if (answer.ok) return answer.status === 200 ? detailsIn(answer.body, answer.url) : 'no response';
  return answer.why === 'not public' || answer.why === 'unknown host' ? 'not public' : 'no response';
}

/** Path and query of a URL below the folder of the site; null if the URL is not the site's. */
function ownPath(url: URL, model: Model): string | null {
  const { url: address, storeUrl } = model.site();
  const site = new URL(url.href.startsWith(`${storeUrl}/`) ? storeUrl : address);
  const folder = site.pathname.replace(/(?<!\/)\/+$/, '');
  const isBelow = url.pathname === folder || url.pathname.startsWith(`${folder}/`);
  if (url.host !== site.host || !isBelow) return null;
  return `${url.pathname.slice(folder.length) || '/'}${url.search}`;
}

/** Returns the first `most` bytes of a page or uploaded file of the site, without a network request. */
async function ownContent(
  path: string,
  { model, files, max }: { readonly model: Model; readonly files: FindFile; readonly max: number },
): Promise<OwnContent> {
  if (path.startsWith(UPLOADS)) return fileContent(path.slice(UPLOADS.length), files, max);
  const { status, body } = answerPage({ url: path, password: null, attempt: noAttempt }, model);
  return { status, body: Buffer.from(body.join('')).subarray(0, max) };
}

const missing: OwnContent = { status: 404, body: Buffer.alloc(0) };
const noAttempt = () => ({ wait: 0, failed: () => undefined });

async function fileContent(path: string, files: FindFile, max: number): Promise<OwnContent> {
  const found = files(decoded(path.split('?', 1)[0] ?? ''));
  const size = found === null || found.isFor?.(anonymous) === false ? null : await found.bytes();
  if (found === null || size === null) return missing;
  const chunks = size === 0 ? [] : await Array.fromAsync(await found.read({ start: 0, end: Math.min(size, max) - 1 }));
  return { status: 200, body: Buffer.concat(chunks) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads the head of a page, or all of a page without one. `page`: its address. */
function readDetails(markup: string, page: URL): UrlDetails {
  const head = headOf(markup);
  const tags = tagsIn(head);
  const named = (attribute: string, values: readonly string[]) => contentOf(tags, attribute, values);
  return {
    title: shown(titleIn(head)),
    icon: absolute(iconIn(tags), page),
    description: shown(named('name', ['description', 'og:description'])),
    image: absolute(named('property', ['og:image', 'og:image:url']), page),
  };
}

/** Up to the first end of a title: a pattern for both would search the end for each start. */
function titleIn(head: string): string {
  const start = /<title[^>]*>/i.exec(upToLast(head, '>')[0]);
  const rest = start === null ? '' : head.slice(start.index + start[0].length);
  const end = /<\s*\/\s*title>/i.exec(rest);
  return end === null ? '' : rest.slice(0, end.index);
}

function headOf(markup: string): string {
  const [start, end] = [markup.indexOf('<head'), markup.indexOf('</head>')];
  return start < 0 || end < start ? markup : markup.slice(start, end);
}

function tagsIn(markup: string): readonly Tag[] {
  const tags: Tag[] = [];
  for (let tag = nextTag(markup, 0); tag !== null; tag = nextTag(markup, endOfElement(markup, tag))) {
    if (tag.name === 'meta' || tag.name === 'link') tags.push(tag);
  }
  return tags;
}

function contentOf(tags: readonly Tag[], attribute: string, values: readonly string[]): string {
  const found = tags.find(
    (tag) =>
      tag.name === 'meta' &&
      attributeOf(tag, 'content') !== null &&
      values.includes(textAt(tag, attribute).toLowerCase()),
  );
  return found === undefined ? '' : textAt(found, 'content');
}

const ICONS = ['icon', 'shortcut icon', 'icon shortcut'];

function iconIn(tags: readonly Tag[]): string {
  const found = tags.find((tag) => tag.name === 'link' && ICONS.includes(textAt(tag, 'rel').toLowerCase()));
  return found === undefined ? '' : textAt(found, 'href');
}

function textAt(tag: Tag, name: string): string {
  const value = attributeOf(tag, name);
  return typeof value === 'string' ? value.trim() : '';
}

function shown(text: string): string {
  return stripMarkup(decodeReferences(text.trim()));
}

function absolute(address: string, page: URL): string {
  if (address === '' || address.startsWith('data:')) return address;
  return URL.parse(address, `${page.origin}/`)?.href ?? '';
}
