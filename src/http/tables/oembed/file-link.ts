import { type Html, html } from '#site/markup/html.ts';

const IMAGES = ['avif', 'gif', 'jpeg', 'jpg', 'png', 'webp'];
const VIDEOS = ['m4v', 'mov', 'mp4', 'ogv', 'webm'];
const SOUNDS = ['flac', 'm4a', 'mp3', 'oga', 'ogg', 'wav'];

/** Describes the address of an image, audio or video file; null for any other address. */
export function describeFile(url: URL): Readonly<Record<string, unknown>> | null {
  const element = elementFor(url);
  return element === null ? null : { provider_name: 'Embed Handler', html: element.markup, scripts: [] };
}

function elementFor({ href, pathname }: URL): Html | null {
  const ending = /\.([a-z0-9]{3,4})$/i.exec(pathname)?.[1]?.toLowerCase() ?? '';
  if (IMAGES.includes(ending)) return html`<img src="${href}" alt="">`;
  if (VIDEOS.includes(ending)) return html`<video controls preload="metadata" src="${href}"></video>`;
  return SOUNDS.includes(ending) ? html`<audio controls src="${href}"></audio>` : null;
}
