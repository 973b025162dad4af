import { hash } from 'node:crypto';
import type { Model } from '#projections/model.ts';
import type { UserRow } from '#projections/users.ts';
import { html } from '../../pages/html.ts';
import { type Item, plainTitle } from '../../pages/item.ts';
import { frameAddress } from '../../pages/place.ts';
import { userLink } from '../users/links.ts';
import { thumbnail } from './thumbnail.ts';

/** The description of an item of this site (interface behaviour, section 23). */
export function describeItem(item: Item, model: Model, maxWidth: number): Readonly<Record<string, unknown>> {
  const { name, url } = model.site();
  const author = authorOf(item, model);
  const width = Math.min(Math.max(maxWidth, LEAST), MOST);
  const height = Math.max(Math.ceil((width * 9) / 16), LEAST);
  return {
    version: '1.0',
    provider_name: name,
    provider_url: url,
    author_name: author?.displayName ?? name,
    author_url: author === null ? url : userLink(author, url),
    title: item.title,
    type: 'rich',
    width,
    height,
    html: cardOf(item, model, { width, height }),
    ...thumbnail(item.image, model, width),
  };
}

/** Null once the account is erased. */
function authorOf({ author }: Item, model: Model): UserRow | null {
  const user = model.user(author);
  return user === undefined || user.erased ? null : user;
}

/** A mark that a frame and the quotation before it share. It follows from the address, so that answers are repeatable. */
export function secretOf(address: string): string {
  return hash('sha256', address, 'hex').slice(0, 10);
}

const LEAST = 200;
const MOST = 600;

/** A quotation for where there are no frames, and a frame in which nothing runs: only its links work. */
function cardOf(item: Item, model: Model, { width, height }: { width: number; height: number }): string {
  const { address } = item;
  const title = plainTitle(item);
  const secret = secretOf(address);
  const name = `“${title}” — ${model.site().name}`;
  const quotation = html`<blockquote class="cms-embedded-content" data-secret="${secret}"><a href="${address}">${title}</a></blockquote>`;
  const frame = html`<iframe class="cms-embedded-content" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${frameAddress(item)}#?secret=${secret}" width="${width}" height="${height}" title="${name}" data-secret="${secret}" frameborder="0"></iframe>`;
  return `${quotation.markup}${frame.markup}`;
}
