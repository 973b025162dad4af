import { createHash } from 'node:crypto';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { cacheImages, siteKey } from '#domain/plugins/cache-images/area.ts';
import { failImages, isTooSoon, notifyImages } from '#domain/plugins/cache-images/decide.ts';
import { type ImageItem, imageForms } from '#domain/plugins/cache-images/events.ts';
import { isRecord, numberOf } from '../../../engine/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import { entriesOf, textIn } from './callback.ts';
import { isOptimisable } from './optimisable.ts';

/** Status of a report that images are done; every other one is that nothing could be done. */
const done = 6;

/** Takes what an optimiser reports about images; image ids are those of media items. */
export function notifyImg({ model: session, params }: Call<Session>, hosts: readonly string[]): Answer {
  if (isTooSoon(session.plugin(cacheImages, siteKey), session.at)) return err('too_often');
  const entries = entriesOf(params['data']);
  const server = textIn(params, 'server');
  const status = numberOf(params['status']);
  const fault =
    (entries.length === 0 && 'no notified data') ||
    (!isOptimiser(server, hosts) && 'no/wrong server') ||
    (!Number.isSafeInteger(status) && 'no status');
  if (fault) {
    stageIn(session, cacheImages, [{ type: 'ImageNotifyRejected', data: { reason: fault } }]);
    return err(fault);
  }
  const known = (id: number) => session.plugin(cacheImages, String(id));
  if (status === done) {
    const serverOf = (value: Entry) => ownServer(value, hosts) ?? server;
    for (const [from, items] of itemsByServer(entries, serverOf)) {
      const there = items.filter(({ id }) => isOptimisable(session, id));
      stageIn(session, cacheImages, notifyImages(there, { server: from, known }));
    }
  } else {
    const ids = entries.map(([key, value]) => idOf(isRecord(value) ? (value['id'] ?? key) : value));
    stageIn(session, cacheImages, failImages(ids, { status: Number(status), known }));
  }
  return ok({ count: entries.length });
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

function itemsByServer(
  entries: ReturnType<typeof entriesOf>,
  serverOf: (value: Entry) => string,
): ReadonlyMap<string, readonly ImageItem[]> {
  const told = new Map<number, Entry>();
  for (const [key, value] of entries) {
    if (isRecord(value)) told.set(idOf(value['id'] ?? key), value);
  }
  told.delete(0);
  const byServer = Map.groupBy(told, ([, value]) => serverOf(value));
  return new Map([...byServer].map(([server, some]) => [server, some.map(([id, value]) => itemOf(id, value))]));
}

function itemOf(id: number, value: Entry): ImageItem {
  const size = bytesIn(value['src_size']);
  const part = (name: string) => {
    const isMade = Boolean(value[name]);
    return { total: isMade ? size : 0, saved: isMade ? bytesIn(value[`${name}_reduced`]) : 0 };
  };
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
  const files = filesIn(value);
  const told = { id, digest, original: part('ori'), webp: part('webp'), avif: part('avif') };
  return files.length === 0 ? told : { ...told, files };
}

const names = { original: 'ori', webp: 'webp', avif: 'avif' } as const;

/** Finished images by where they are; without their digest nobody could tell whether they are what was meant. */
function filesIn(value: Entry): NonNullable<ImageItem['files']> {
  return imageForms.flatMap((form) => {
    const [path, md5] = [value[names[form]], value[`${names[form]}_md5`]];
    const isTold = typeof path === 'string' && path.length <= 2048 && typeof md5 === 'string';
    return isTold && /^[\da-f]{32}$/i.test(md5) ? [{ form, path, md5: md5.toLowerCase() }] : [];
  });
}

function idOf(value: unknown): number {
  const id = numberOf(value);
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : 0;
}

function bytesIn(value: unknown): number {
  const bytes = Math.floor(numberOf(value) ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
