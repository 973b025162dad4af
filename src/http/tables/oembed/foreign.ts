import list from 'oembed-providers/providers.json' with { type: 'json' };
import { decodeReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { attributeOf, endOfElement, nextTag } from '#blocks/tags.ts';
import { asking } from '#outgoing/asking.ts';
import type { Fetched, Outgoing } from '#outgoing/fetch.ts';
import { escapeHtml } from '#text/escape-html.ts';
import { type Html, html } from '#text/html.ts';
import { type CardSource, cardAddress, reduceMarkup } from './card.ts';

export interface EmbedRequest {
  readonly url: URL;
  readonly maxWidth: number;
  /** 0: no limit. */
  readonly maxHeight: number;
  readonly discover: boolean;
  readonly site: string;
}

/** Describes an address of another site; null if it cannot be described. */
export type Foreign = (wish: EmbedRequest) => Promise<ForeignCard | null>;

type ForeignCard = Readonly<Record<string, unknown>>;

/** A provider's description of an address: names and values, none of them trusted. */
type Description = ReadonlyMap<string, string | number>;

/** A provider on the list, which describes an address without a request to the address itself. */
export interface Provider {
  readonly endpoint: string;
  readonly format: 'json' | 'xml';
}

interface Scheme {
  readonly domain: string;
  /** Includes all subdomains. */
  readonly below: boolean;
  /** Path and query, with `*` for anything. */
  readonly rest: string;
  readonly provider: Provider;
}

interface Listed {
  readonly url: string;
  readonly schemes?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
}

const IMAGES = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'webp'];

const VIDEOS = ['m4v', 'mov', 'mp4', 'ogv', 'webm'];

const SOUNDS = ['flac', 'm4a', 'mp3', 'oga', 'ogg', 'wav'];

const TYPES = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];
const DAY = 24 * 60 * 60 * 1000;
const MAX_BYTES = 150 * 1024;
const DATA = { accept: 'application/json, text/xml;q=0.5', maxBytes: MAX_BYTES };
const PAGE = { accept: 'text/html, application/xhtml+xml', maxBytes: MAX_BYTES, cut: true } as const;
const CARD_TYPES = ['photo', 'video', 'link', 'rich'];
const TEXTS = ['provider_name', 'author_name', 'title'];
const ADDRESSES = ['provider_url', 'author_url', 'thumbnail_url', 'url'];
const NUMBERS = ['width', 'height', 'thumbnail_width', 'thumbnail_height'];
const LONGEST_TEXT = 1000;
const LARGEST = 10_000;
const SCHEME = /^https?:\/\/(\*\.)*([^/*\s][^/*\s.]*\.[^/*\s]+)(\/\S*)?$/;

const endpoints: readonly Listed[] = list.flatMap((provider): readonly Listed[] => provider.endpoints);
const schemes = endpoints.flatMap(schemesOf);

/** Descriptions from other servers, kept for a day. */
export function createForeign(outgoing: Outgoing, clock: () => number): Foreign {
  return asking<EmbedRequest, ForeignCard | null>({
    key: (wish) => JSON.stringify([wish.url.href, wish.maxWidth, wish.maxHeight, wish.discover, wish.site]),
    ask: (wish) => ask(wish, outgoing),
    isGood: (card) => card !== null,
    ttl: DAY,
    clock,
  });
}

async function ask(wish: EmbedRequest, outgoing: Outgoing): Promise<ForeignCard | null> {
  const { url, discover, site } = wish;
  const provider = providerOf(url);
  if (provider !== null) {
    const address = withSize(provider.endpoint, wish, { url: url.href, format: provider.format });
    return read(address, outgoing, (body) => cardIn(body, url, { kept: true, site }));
  }
  const file = describeFile(url);
  if (file !== null || !discover) return file;
  const page = found(await outgoing.get(url.href, PAGE));
  const link = page === null || !/html/i.test(page.type) ? null : descriptionLink(page.body.toString('utf8'), page.url);
  if (link === null) return null;
  return read(withSize(link, wish, {}), outgoing, (body) => cardIn(body, url, { kept: false, site }));
}

async function read<T>(address: string, outgoing: Outgoing, make: (body: Buffer) => T): Promise<T | null> {
  const answer = found(await outgoing.get(address, DATA));
  return answer === null ? null : make(answer.body);
}

function found(answer: Awaited<ReturnType<Outgoing['get']>>): Fetched | null {
  return answer.ok && answer.status === 200 ? answer : null;
}

function cardIn(body: Buffer, url: URL, source: { kept: boolean; site: string }): ForeignCard | null {
  const description = readDescription(body);
  return description === null ? null : foreignCard(description, url.href, source);
}

function withSize(
  address: string,
  { maxWidth, maxHeight }: EmbedRequest,
  more: Readonly<Record<string, string>>,
): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const size = { maxwidth: String(maxWidth), ...(maxHeight > 0 ? { maxheight: String(maxHeight) } : {}) };
  for (const [name, value] of Object.entries({ ...more, ...size })) url.searchParams.set(name, value);
  return url.href;
}

/** The address of its description that a page names in its head, JSON before XML; null if there is none. */
function descriptionLink(markup: string, page: URL): string | null {
  const links = new Map<string, string>();
  for (let tag = nextTag(markup, 0); tag !== null; tag = nextTag(markup, endOfElement(markup, tag))) {
    if (tag.name !== 'link') continue;
    const [type, href] = [attributeOf(tag, 'type'), attributeOf(tag, 'href')];
    if (typeof type !== 'string' || typeof href !== 'string') continue;
    const name = type.trim().toLowerCase();
    if (!links.has(name)) links.set(name, href);
  }
  const found = TYPES.map((type) => links.get(type)).find((href) => href !== undefined);
  return found === undefined ? null : (URL.parse(found.trim(), page.href)?.href ?? null);
}

/** Describes the address of an image, audio or video file; null for any other address. */
function describeFile(url: URL): Readonly<Record<string, unknown>> | null {
  const element = elementFor(url);
  return element === null ? null : { provider_name: 'Embed Handler', html: element.markup, scripts: [] };
}

function elementFor({ href, pathname }: URL): Html | null {
  const ending = /\.([a-z0-9]{3,4})$/i.exec(pathname)?.[1]?.toLowerCase() ?? '';
  if (IMAGES.includes(ending)) return html`<img src="${href}" alt="">`;
  if (VIDEOS.includes(ending)) return html`<video controls preload="metadata" src="${href}"></video>`;
  return SOUNDS.includes(ending) ? html`<audio controls src="${href}"></audio>` : null;
}

/**
 * The part of a provider's description that is passed on: known members of valid types, and HTML made here. Null if nothing of it
 * can be shown.
 */
function foreignCard(description: Description, address: string, source: CardSource): ForeignCard | null {
  const type = String(description.get('type') ?? '');
  if (!CARD_TYPES.includes(type)) return null;
  const members: Record<string, unknown> = { version: '1.0', type };
  const take = (names: readonly string[], read: (value: unknown) => unknown) => {
    for (const name of names) {
      const value = read(description.get(name));
      if (value !== null) members[name] = value;
    }
  };
  take(TEXTS, plainText);
  take(ADDRESSES, cardAddress);
  take(NUMBERS, size);
  const html = htmlFor(members, { address, markup: String(description.get('html') ?? ''), source });
  return html === null ? null : { ...members, html };
}

interface Making {
  readonly address: string;
  readonly markup: string;
  readonly source: CardSource;
}

function htmlFor(members: Readonly<Record<string, unknown>>, { address, markup, source }: Making): string | null {
  const { type, url, title, width, height } = members as Partial<Record<string, string | number>>;
  const link = (content: string) => `<a href="${escapeHtml(address)}">${content}</a>`;
  if (type === 'link') return title === undefined || title === '' ? null : link(escapeHtml(String(title)));
  if (type === 'photo') {
    if (url === undefined || width === undefined || height === undefined) return null;
    const alt = escapeHtml(String(title ?? ''));
    return link(`<img src="${escapeHtml(String(url))}" alt="${alt}" width="${width}" height="${height}">`);
  }
  const { html, framed } = reduceMarkup(markup, source);
  // From a page that is not on the list of providers, only a frame is accepted.
  return framed || (source.kept && html !== '') ? html : null;
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' ? stripMarkup(value).slice(0, LONGEST_TEXT) : null;
}

function size(value: unknown): number | null {
  const number = Math.round(Number(value ?? Number.NaN));
  return number > 0 && number <= LARGEST ? number : null;
}

/** Reads a description in JSON or XML; null if it is neither. */
function readDescription(body: Buffer): Description | null {
  const text = body.toString('utf8').trim();
  return text.startsWith('<') ? fromXml(text) : fromJson(text);
}

function fromJson(text: string): Description | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  return new Map(
    Object.entries(value).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fromXml(text: string): Description | null {
  const root = text.search(/<oembed[\s>]/i);
  if (root === -1) return null;
  const found = new Map<string, string>();
  const opener = /<([a-z_]{1,40})>/gi;
  opener.lastIndex = text.indexOf('>', root);
  for (let tag = opener.exec(text); tag !== null; tag = opener.exec(text)) {
    const [whole, name = ''] = tag;
    const start = tag.index + whole.length;
    const end = text.indexOf(`</${name}>`, start);
    if (end === -1) break;
    found.set(name, contentOf(text.slice(start, end)));
    opener.lastIndex = end;
  }
  return found;
}

function contentOf(inner: string): string {
  const literal = /^\s*<!\[CDATA\[(.*)\]\]>\s*$/s.exec(inner)?.[1];
  return literal ?? decodeReferences(inner);
}

/** The provider on the list for an address; null if there is none. */
export function providerOf({ hostname, pathname, search }: URL): Provider | null {
  const host = hostname.toLowerCase();
  const found = schemes.find(
    ({ domain, below, rest }) =>
      (host === domain || (below && host.endsWith(`.${domain}`))) && fits(pathname + search, rest),
  );
  return found?.provider ?? null;
}

function schemesOf({ url, schemes: patterns = [], formats = ['json'] }: Listed): readonly Scheme[] {
  const format = formats.includes('json') ? 'json' : 'xml';
  const provider: Provider = { endpoint: url.replace('{format}', format), format };
  return patterns.flatMap((pattern) => {
    const [, below, domain, rest = '*'] = SCHEME.exec(pattern) ?? [];
    return domain === undefined ? [] : [{ domain: domain.toLowerCase(), below: below !== undefined, rest, provider }];
  });
}

/** Whether a text matches a pattern with `*`. Not a regular expression, which may be slow for long texts. */
function fits(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
