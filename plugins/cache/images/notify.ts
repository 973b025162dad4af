import { createHash } from 'node:crypto';
import type { PluginCall, PluginMediaFiles, PluginSession } from 'palimpsest/plugin';
import { cacheSettings } from '../settings.ts';
import { callbackText, done, entriesOf, failing, isMap, numberIn } from '../values.ts';
import { cacheImages, siteKey } from './area.ts';
import { failImages, isTooSoon, notifyImages } from './decide.ts';
import { type ImageItem, imageForms } from './events.ts';
import { optimisableImage, sourceDigest } from './optimisable.ts';

/** The status of finished images; any other reports a failure. */
const finished = 6;

/** Records what an optimiser reports about images; image ids are those of media items. */
export function notifyImg({ model: session, params, settings, mediaFiles }: PluginCall<PluginSession>) {
  const hosts = settings(cacheSettings).optimiserHosts;
  if (isTooSoon(session.document(cacheImages, siteKey), session.at)) return failing('too_often');
  const entries = entriesOf(params['data']);
  const server = callbackText(params, 'server');
  const status = numberIn(params['status']);
  const fault =
    (entries.length === 0 && 'no notified data') ||
    (!isOptimiser(server, hosts) && 'no/wrong server') ||
    (!Number.isSafeInteger(status) && 'no status');
  if (fault) {
    session.stage(cacheImages, [{ type: 'ImageNotifyRejected', data: { reason: fault } }]);
    return failing(fault);
  }
  const known = (id: number) => session.document(cacheImages, String(id));
  if (status === finished) {
    const serverOf = (value: Entry) => ownServer(value, hosts) ?? server;
    for (const [from, notified] of toldByServer(entries, serverOf)) {
      const items = [...notified].flatMap(([id, values]) => {
        const media = optimisableImage(id, mediaFiles);
        return media === undefined ? [] : itemOf(media, values);
      });
      session.stage(cacheImages, notifyImages(items, { server: from, known }));
    }
  } else {
    const ids = entries.map(([key, value]) => idOf(isMap(value) ? (value['id'] ?? key) : value));
    session.stage(cacheImages, failImages(ids, { status: Number(status), known }));
  }
  return done({ count: entries.length });
}

type Entry = Readonly<Record<string, unknown>>;

function ownServer({ server }: Entry, hosts: readonly string[]): string | null {
  return typeof server === 'string' && isOptimiser(server, hosts) ? server : null;
}

export function isOptimiser(server: string, hosts: readonly string[]): boolean {
  const host = (URL.parse(server)?.hostname || server).toLowerCase();
  return hosts.some((ending) => {
    const name = ending.replace(/^\./, '').toLowerCase();
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Groups the entries by server and image id; an image with several files has several entries. */
function toldByServer(
  entries: ReturnType<typeof entriesOf>,
  serverOf: (value: Entry) => string,
): ReadonlyMap<string, ReadonlyMap<number, readonly Entry[]>> {
  const notified = new Map<string, Map<number, readonly Entry[]>>();
  for (const [key, value] of entries) {
    const id = isMap(value) ? idOf(value['id'] ?? key) : 0;
    if (!isMap(value) || id === 0) continue;
    const server = serverOf(value);
    const items = notified.get(server) ?? new Map<number, readonly Entry[]>();
    notified.set(server, items.set(id, [...(items.get(id) ?? []), value]));
  }
  return notified;
}

function itemOf(media: PluginMediaFiles, values: readonly Entry[]): ImageItem {
  const part = (name: string) => {
    const made = values.filter((value) => Boolean(value[name]));
    const sum = (member: string) => made.reduce((all, value) => all + bytesIn(value[member]), 0);
    const most = (bytes: number) => Math.min(bytes, Number.MAX_SAFE_INTEGER);
    return { total: most(sum('src_size')), saved: most(sum(`${name}_reduced`)) };
  };
  const digest = createHash('sha256').update(JSON.stringify(values)).digest('hex');
  const files = values.flatMap((value) => formsIn(value, media));
  const notified = { id: media.id, digest, original: part('ori'), webp: part('webp'), avif: part('avif') };
  return files.length === 0 ? notified : { ...notified, files };
}

const names = { original: 'ori', webp: 'webp', avif: 'avif' } as const;

/** The locations of finished images. Those without a digest are ignored, because a download could not be verified. */
function formsIn(value: Entry, { files: own }: PluginMediaFiles): NonNullable<ImageItem['files']> {
  const source = value['src_md5'];
  const of = (source === undefined ? own[0] : own.find((file) => sourceDigest(file) === source))?.hash;
  if (of === undefined) return [];
  return imageForms.flatMap((form) => {
    const [path, md5] = [value[names[form]], value[`${names[form]}_md5`]];
    const isTold = typeof path === 'string' && path.length <= 2048 && typeof md5 === 'string';
    return isTold && /^[\da-f]{32}$/i.test(md5) ? [{ form, path, md5: md5.toLowerCase(), of }] : [];
  });
}

function idOf(value: unknown): number {
  const id = numberIn(value);
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : 0;
}

function bytesIn(value: unknown): number {
  const bytes = Math.floor(numberIn(value) ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
