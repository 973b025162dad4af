import { LRUCache } from 'lru-cache';
import type { Fetched, Outgoing } from '#outgoing/fetch.ts';
import { type Html, html } from '#text/html.ts';
import { attributeOf, endOfElement, nextTag } from '#text/tags.ts';
import { readDescription } from './description.ts';
import { type ForeignCard, foreignCard } from './foreign-card.ts';
import { providerOf } from './providers.ts';

const IMAGES = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'webp'];

const VIDEOS = ['m4v', 'mov', 'mp4', 'ogv', 'webm'];

const SOUNDS = ['flac', 'm4a', 'mp3', 'oga', 'ogg', 'wav'];

const TYPES = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];

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

const DAY = 24 * 60 * 60 * 1000;
const MAX_BYTES = 150 * 1024;
const MAX_KEPT = 500;
const DATA = { accept: 'application/json, text/xml;q=0.5', maxBytes: MAX_BYTES };
const PAGE = { accept: 'text/html, application/xhtml+xml', maxBytes: MAX_BYTES, cut: true } as const;

/**
 * Descriptions from other servers. A limited number is cached in memory for a day: they are not part of the site and can be
 * requested again. Failures are not cached.
 */
export function createForeign(outgoing: Outgoing, clock: () => number): Foreign {
  const kept = new LRUCache<string, ForeignCard>({ max: MAX_KEPT, ttl: DAY, ttlResolution: 0, perf: { now: clock } });
  const underWay = new Map<string, Promise<ForeignCard | null>>();
  return async (wish) => {
    const key = JSON.stringify([wish.url.href, wish.maxWidth, wish.maxHeight, wish.discover, wish.site]);
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(wish, outgoing).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    const card = await asked;
    if (card !== null) kept.set(key, card);
    return card;
  };
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
