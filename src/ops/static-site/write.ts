import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fontBase, fontRoot, type ThemeFonts } from '#http/pages/themes/fonts.ts';
import type { FindFile } from '#http/server/files.ts';
import type { Model } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { relinked } from '#text/relink.ts';
import { type Collected, type CollectedPage, sitePath } from './collect.ts';

export interface WriteOptions {
  readonly folder: string;
  /** Replaces the site's address in links; null: links are relative to their page. */
  readonly address: string | null;
  readonly model: Model;
  readonly find: FindFile;
  readonly fonts: ThemeFonts;
}

/** Writes pages and the files that they refer to into a folder. Returns the number of each. */
export async function writeSite(collected: Collected, options: WriteOptions) {
  const { folder, find, fonts } = options;
  const files = new Map<string, string>();
  for (const path of collected.files) {
    const name = nameOf(path, '');
    const found = name === null ? null : find(name.slice('uploads/'.length));
    const size = found === null || found.isFor !== undefined ? null : await found.bytes();
    if (name === null || found === null || size === null) continue;
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    if (size === 0) await writeFile(target, '');
    else await pipeline(await found.read({ start: 0, end: size - 1 }), createWriteStream(target));
    files.set(path, name);
  }
  for (const { name, bytes } of [...fonts.fonts.values()].flat()) {
    await mkdir(join(folder, fontRoot), { recursive: true });
    await writeFile(join(folder, fontRoot, name), bytes);
  }
  const names = namesOf(collected);
  for (const [path, page] of collected.pages) {
    const name = names.get(path);
    if (name === undefined) continue;
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(
      join(folder, name),
      bodyOf(page, { name, names: new Map([...names, ...files]) }, collected, options),
    );
  }
  return { pages: names.size, files: files.size };
}

function namesOf({ pages }: Collected): ReadonlyMap<string, string> {
  return new Map(
    [...pages].flatMap(([path, { type }]) => {
      const name = nameOf(path, type);
      return name === null ? [] : [[path, name] as const];
    }),
  );
}

function nameOf(path: string, type: string): string | null {
  const [place = '', query] = path.split('?');
  const ending = type.startsWith('text/html') ? 'html' : 'xml';
  const index = query === undefined ? `index.${ending}` : `${query.replace('=', '-')}.${ending}`;
  try {
    const parts = decodeURIComponent(place).split('/').slice(1);
    if (parts.some((part) => part === '.' || part === '..' || /[\0\\]/.test(part))) return null;
    return [...parts.slice(0, -1), parts.at(-1) || index].join('/');
  } catch {
    return null;
  }
}

interface Named {
  readonly name: string;
  readonly names: ReadonlyMap<string, string>;
}

function bodyOf(
  { type, body }: CollectedPage,
  { name, names }: Named,
  { moved }: Collected,
  { address, model }: WriteOptions,
): string {
  const { url } = model.site();
  // Feeds and lists for crawlers need absolute addresses.
  if (!type.startsWith('text/html')) return address === null ? body : body.replaceAll(`${url}/`, `${address}/`);
  const withoutInterface = body.replace(
    `<p><a href="${interfaceUrl(model.site())}/">Interface of this site</a></p>`,
    '',
  );
  const page = relinked(withoutInterface, (link) => {
    if (link.startsWith('#')) return undefined;
    const isOwn = URL.parse(link, `${url}/`)?.origin === new URL(url).origin;
    const path = sitePath(link, model) ?? sitePath(link.split('?', 1)[0] ?? '', model);
    const target = path === null ? undefined : names.get(moved.get(path) ?? path);
    if (target === undefined) return isOwn ? null : undefined;
    const [, place = ''] = /(#.*)$/.exec(link) ?? [];
    return (address === null ? relativeTo(name, target) : absolute(address, target)) + place;
  });
  const fonts = address === null ? `${relativeTo(name, fontRoot.slice(1))}/` : absolute(address, fontRoot.slice(1));
  const dressed = page.replaceAll(`url("${fontBase(model)}`, `url("${fonts}`);
  return address === null ? dressed : dressed.replaceAll(`${url}/`, `${address}/`);
}

function relativeTo(from: string, to: string): string {
  return encoded(posix.relative(dirname(from), to));
}

function absolute(address: string, name: string): string {
  return `${address}/${encoded(name).replace(/(^|\/)index\.(?:html|xml)$/, '$1')}`;
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
