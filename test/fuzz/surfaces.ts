import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockType } from '#blocks/block-types/block-type.ts';
import type { Site } from '../support/site.ts';

/** Fields of an entry whose text is shown. */
export interface ShownTexts {
  readonly title?: string;
  readonly content?: string;
  readonly excerpt?: string;
}

export interface Seen {
  /** What was asked for. */
  readonly surface: string;
  readonly status: number;
  /** Characters of the answer. */
  readonly length: number;
  /** Milliseconds of processor time, all threads. */
  readonly busy: number;
}

const full = '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->';

/** Publishes texts, and asks for them wherever the site shows them: in the interface, on pages, in feeds, in lists, protected and as previews. */
export async function onEverySurface(site: Site, texts: ShownTexts, look: (seen: Seen) => void): Promise<void> {
  const seen = async (surface: string, ask: () => Promise<{ readonly status: number; readonly text: string }>) => {
    const before = process.cpuUsage();
    const { status, text } = await ask();
    const { user, system } = process.cpuUsage(before);
    look({ surface, status, length: text.length, busy: (user + system) / 1000 });
    return text;
  };
  const call = (request: string, body?: object) => seen(request, () => site.call('editor', request, body));
  const page = (link: string, form?: Readonly<Record<string, string>>) => {
    const { pathname, search } = new URL(link, 'http://site.example');
    return seen(`page ${pathname.replace(/\d+/, 'N')}`, async () => {
      const response = await fetch(`http://127.0.0.1:${site.port}${pathname}${search}`, {
        redirect: 'manual',
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      return { status: response.status, text: await response.text() };
    });
  };
  const made = async (path: string, more: object): Promise<{ readonly id: number; readonly link: string }> => {
    const { id, link } = JSON.parse(await call(`POST ${path}`, { slug: 'seen', ...texts, ...more }));
    return { id, link };
  };
  const open = await made('/posts', { status: 'publish' });
  const locked = await made('/posts', { status: 'publish', password: 'open' });
  const parent = await made('/pages', { title: 'Holds', content: full, excerpt: '', status: 'publish' });
  for (const rest of ['', '?context=edit', '?context=embed', '?_embed']) await call(`GET /posts/${open.id}${rest}`);
  for (const request of [
    ...[`/posts/${locked.id}?password=open`, '/posts?per_page=3', '/posts?search=seen', '/search?search=seen'],
    ...[`/posts/${open.id}/revisions`, `/posts/${open.id}?as_of=${site.position()}`, `/pages/${parent.id}`],
    `/cms-json/oembed/1.0/embed?url=${encodeURIComponent(open.link)}`,
  ]) {
    await call(`GET ${request}`);
  }
  const autosave = JSON.parse(await call(`POST /posts/${open.id}/autosaves`, texts));
  if (typeof autosave.preview_link === 'string') await page(autosave.preview_link);
  const own = ['', 'embed/', 'feed/'].map((part) => `${open.link}${part}`);
  for (const link of [...own, locked.link, parent.link, '/', '/feed/', '/feed/atom/', '/?s=seen', '/author/editor/']) {
    await page(link);
  }
  await page(locked.link, { password: 'open' });
  for (const { id } of [open, locked]) await call(`DELETE /posts/${id}?force=true`);
  await call(`DELETE /pages/${parent.id}?force=true`);
}

/** A block with a text in every attribute that may be one. */
export function blockOf({ name, attributes }: BlockType, text: string): string {
  const own = Object.entries(attributes).flatMap(([key, { type }]): [string, unknown][] => {
    if (type === 'string' || type === undefined) return [[key, text]];
    if (type === 'object')
      return [[key, key === 'style' ? styleOf(text) : { [text.slice(0, 100)]: text, search: text }]];
    return type === 'array' ? [[key, [text]]] : [];
  });
  const common = { className: text, anchor: text, backgroundColor: text, fontSize: text, style: styleOf(text) };
  const json = JSON.stringify({ ...common, ...Object.fromEntries(own) }).replaceAll('--', '\\u002d\\u002d');
  return `<!-- wp:${name.replace('core/', '')} ${json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')} /-->`;
}

export const allBlockTypes: readonly BlockType[] = [...blockTypes.values()];

function styleOf(text: string): object {
  return {
    typography: { fontSize: text, lineHeight: text, letterSpacing: text, fontWeight: text, textDecoration: text },
    color: { text, background: text, gradient: text, duotone: text },
    spacing: { padding: { top: text, left: text }, margin: text, blockGap: text },
    border: { radius: text, width: text, color: text, style: text },
    dimensions: { minHeight: text, aspectRatio: text },
    shadow: text,
    elements: { link: { color: { text } } },
  };
}
