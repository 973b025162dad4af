import { escapedHtml } from '#text/html.ts';
import { stripMarkup } from '#text/strip.ts';
import type { Description } from './description.ts';
import { type CardSource, cardAddress, reduceMarkup } from './markup.ts';

export type ForeignCard = Readonly<Record<string, unknown>>;

const TYPES = ['photo', 'video', 'link', 'rich'];
const TEXTS = ['provider_name', 'author_name', 'title'];
const ADDRESSES = ['provider_url', 'author_url', 'thumbnail_url', 'url'];
const NUMBERS = ['width', 'height', 'thumbnail_width', 'thumbnail_height'];
const LONGEST_TEXT = 1000;
const LARGEST = 10_000;

/**
 * The part of a provider's description that is passed on: known members of valid types, and HTML made here. Null if nothing of it
 * can be shown.
 */
export function foreignCard(description: Description, address: string, source: CardSource): ForeignCard | null {
  const type = String(description.get('type') ?? '');
  if (!TYPES.includes(type)) return null;
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
  const link = (content: string) => `<a href="${escapedHtml(address)}">${content}</a>`;
  if (type === 'link') return title === undefined || title === '' ? null : link(escapedHtml(String(title)));
  if (type === 'photo') {
    if (url === undefined || width === undefined || height === undefined) return null;
    const alt = escapedHtml(String(title ?? ''));
    return link(`<img src="${escapedHtml(String(url))}" alt="${alt}" width="${width}" height="${height}">`);
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
