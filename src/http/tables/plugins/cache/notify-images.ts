import { createHash } from 'node:crypto';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { cacheImages, siteKey } from '#domain/plugins/cache-images/area.ts';
import { failImages, isTooSoon, notifyImages } from '#domain/plugins/cache-images/decide.ts';
import type { ImageItem } from '#domain/plugins/cache-images/events.ts';
import { isRecord, numberOf } from '../../../engine/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import { textIn } from './callback.ts';
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
    ((status === null || !Number.isInteger(status)) && 'no status');
  if (fault) {
    stageIn(session, cacheImages, [{ type: 'ImageNotifyRejected', data: { reason: fault } }]);
    return err(fault);
  }
  const known = (id: number) => session.plugin(cacheImages, String(id));
  const isKnown = (id: number) => isOptimisable(session, id);
  const events =
    status === done
      ? notifyImages(
          uniqueItems(entries).filter(({ id }) => isKnown(id)),
          { server, known },
        )
      : failImages(
          entries.map(([key, value]) => idOf(isRecord(value) ? (value['id'] ?? key) : value)),
          {
            status: Number(status),
            known,
          },
        );
  stageIn(session, cacheImages, events);
  return ok({ count: entries.length });
}

/** Members of a map or a list. */
function entriesOf(data: unknown): readonly (readonly [string, unknown])[] {
  return typeof data === 'object' && data !== null ? Object.entries(data) : [];
}

function isOptimiser(server: string, hosts: readonly string[]): boolean {
  const host = (URL.parse(server)?.hostname || server).toLowerCase();
  return hosts.some((ending) => {
    const name = ending.replace(/^\./, '').toLowerCase();
    return host === name || host.endsWith(`.${name}`);
  });
}

function uniqueItems(entries: readonly (readonly [string, unknown])[]): readonly ImageItem[] {
  const items = new Map<number, ImageItem>();
  for (const [key, value] of entries) {
    if (!isRecord(value)) continue;
    const id = idOf(value['id'] ?? key);
    if (id > 0) items.set(id, itemOf(id, value));
  }
  return [...items.values()];
}

function itemOf(id: number, value: Readonly<Record<string, unknown>>): ImageItem {
  const size = bytesIn(value['src_size']);
  const part = (name: string) => {
    const isMade = Boolean(value[name]);
    return { total: isMade ? size : 0, saved: isMade ? bytesIn(value[`${name}_reduced`]) : 0 };
  };
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('hex');
  return { id, digest, original: part('ori'), webp: part('webp'), avif: part('avif') };
}

function idOf(value: unknown): number {
  const id = numberOf(value);
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : 0;
}

function bytesIn(value: unknown): number {
  const bytes = Math.floor(numberOf(value) ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
