import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { filesOf } from '#http/app/host.ts';
import { answerPage } from '#http/pages/pages.ts';
import { fontBase, fontRoot, type ThemeFonts } from '#http/pages/themes/fonts.ts';
import type { FindFile } from '#http/server/files.ts';
import { fileKeyOf } from '#media/files.ts';
import { FileCheck } from '#media/intact.ts';
import { openMedia } from '#media/open.ts';
import type { Model } from '#projections/reading/model.ts';
import { formerPaths } from '#site/addresses/former.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { html } from '#text/html.ts';
import { addressesIn, relinked, withoutForms } from '#text/relink.ts';
import type { Outcome } from '../outcome.ts';
import { pastStateAt } from '../replay.ts';
import { openThemeFonts } from '../theme-fonts.ts';
import type { VerbPlace } from '../verb.ts';

export interface StaticSite {
  readonly folder: string;
  readonly address: string | null;
}

interface CollectedPage {
  readonly type: string;
  readonly body: string;
}

interface Collected {
  readonly pages: ReadonlyMap<string, CollectedPage>;
  /** Redirects: path to target. */
  readonly moved: ReadonlyMap<string, string>;
  /** Former paths of what has another one now. */
  readonly former: ReadonlyMap<string, string>;
  /** Paths of uploaded files that pages refer to. */
  readonly files: ReadonlySet<string>;
}

export interface WriteOptions {
  readonly folder: string;
  /** Replaces the site's address in links; null: links are relative to their page. */
  readonly address: string | null;
  readonly model: Model;
  readonly find: FindFile;
  readonly fonts: ThemeFonts;
}

/** Start pages; everything else is reached by links. */
const beginnings = ['/', '/robots.txt', '/sitemap.xml', '/feed/', '/feed/atom/', '/llms.txt'];
/** The only queries that identify a separate page: those that page through a list. */
const TURN = /^[\w-]+-page=[1-9]\d{0,6}$/;
const UPLOADS = '/uploads/';
const ELSEWHERE = /^\/(?:cms-audit|authorize-application|avatars)(?:\/|$)/;

export async function exportPages(place: VerbPlace, { folder, address }: StaticSite): Promise<Outcome> {
  const { config } = place;
  const logPath = join(config.dataDir, 'log.db');
  if (!existsSync(logPath)) return { kind: 'unavailable', message: `there is no event log at ${logPath}` };
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    return { kind: 'refused', code: 'folder_not_empty', message: `there is something in ${folder}` };
  }
  const fonts = openThemeFonts(config.plugins.themes);
  const log = openSqliteStore({ path: logPath, readOnly: true });
  try {
    const { position } = log.head();
    const state = await pastStateAt(place, { log, position });
    const task = place.progress({ name: 'making pages', total: 0, unit: 'pages' });
    try {
      const { reader } = state;
      const kept = await openMedia(config);
      const check = new FileCheck(kept, fileKeyOf, () => undefined);
      const find = filesOf({ reader, files: { check, read: (hash, part) => kept.read(fileKeyOf(hash), part) } });
      const collected = await collectPages(reader, { fonts, onPage: (done) => task.at(done) });
      const written = await writeSite(collected, { folder, address, model: reader, find, fonts });
      return { kind: 'done', value: { position, ...written } };
    } finally {
      task.end();
      state.close();
    }
  } finally {
    log.close();
  }
}

/** Renders every public page that is reachable by links. `onPage` is called after each. */
async function collectPages(
  model: Model,
  { fonts, onPage }: { readonly fonts: ThemeFonts; readonly onPage: (done: number) => Promise<void> },
): Promise<Collected> {
  const { names } = model.site();
  const pages = new Map<string, CollectedPage>();
  const moved = new Map<string, string>();
  const files = new Set<string>();
  const seen = new Set(beginnings);
  const note = (path: string | null) => {
    if (path === null || seen.has(path)) return;
    seen.add(path);
    if (path.startsWith(UPLOADS)) files.add(path);
  };
  // Iterates a set that grows meanwhile.
  for (const path of seen) {
    if (path.startsWith(UPLOADS) || path.startsWith(`/${names.root}`) || ELSEWHERE.test(path)) continue;
    const {
      status,
      headers,
      body: pieces,
    } = answerPage({ url: path, password: null, attempt: noAttempt, fonts }, model);
    const location = headers['Location'];
    const target = location === undefined ? null : sitePath(location, model);
    if (target !== null) {
      moved.set(path, target);
      note(target);
    }
    if (status !== 200) continue;
    const body = pieces.join('');
    const type = headers['Content-Type'] ?? 'text/plain';
    const isPage = type.startsWith('text/html');
    pages.set(path, { type, body: isPage ? withoutForms(body) : body });
    const addresses = isPage
      ? addressesIn(body)
      : [...body.matchAll(/<(?:loc|link)>([^<]+)</g)].map(([, at = '']) => at);
    for (const address of addresses) note(sitePath(address, model));
    await onPage(pages.size);
  }
  return { pages, moved, former: formerOf(pages, model), files };
}

function formerOf(pages: Collected['pages'], model: Model): Collected['former'] {
  const found = [...formerPaths(model)].flatMap(([path, address]) => {
    const target = sitePath(address, model);
    return target === null || pages.has(path) || !pages.has(target) ? [] : [[path, target] as const];
  });
  return new Map(found);
}

const noAttempt = () => ({ wait: 0, failed: () => undefined });

/** The path of an address below the site's, without fragment; null for other addresses. */
function sitePath(address: string, model: Model): string | null {
  const { url } = model.site();
  const absolute = URL.parse(address, `${url}/`);
  const base = new URL(url);
  if (absolute === null || absolute.origin !== base.origin) return null;
  const folder = base.pathname.replace(/(?<!\/)\/+$/, '');
  if (!absolute.pathname.startsWith(`${folder}/`)) return null;
  const query = absolute.search.slice(1);
  if (query !== '' && !TURN.test(query)) return null;
  return absolute.pathname.slice(folder.length) + (query === '' ? '' : `?${query}`);
}

/** Writes pages and the files that they refer to into a folder. Returns the number of each. */
async function writeSite(collected: Collected, options: WriteOptions) {
  const { folder, find, fonts, address } = options;
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
  for (const [path, target] of collected.former) {
    const [name, to] = [nameOf(path, 'text/html'), names.get(target)];
    if (name === null || to === undefined) continue;
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), leadingOn(address === null ? relativeTo(name, to) : absolute(address, to)));
  }
  return { pages: names.size, files: files.size };
}

/** A page at a former address. */
function leadingOn(address: string): string {
  return html`<!DOCTYPE html>
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="${address}">
<meta http-equiv="refresh" content="0; url=${address}">
<p>This page has moved <a href="${address}">here</a>.</p>
`.pieces.join('');
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
    const place = link.includes('#') ? link.slice(link.indexOf('#')) : '';
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
