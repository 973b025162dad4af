import { createHash } from 'node:crypto';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type AssetEvent, cacheAssets } from '#domain/plugins/cache-assets/area.ts';
import type { AssetKind } from '#domain/plugins/cache-assets/slots.ts';
import { assetQueue, type QueuedAsset } from '#projections/plugins/asset-queue.ts';
import { permalink } from '#site/addresses/entries.ts';
import { isRecord } from '#text/shapes.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { err, ok } from '../kit/envelopes.ts';
import { entriesOf } from './callback.ts';

/** Stores what a service made for pages that wait for it; ignores everything else. */
export function notifyAssets({ model: session, params }: Call<Session>, kind: AssetKind): Answer {
  const items = entriesOf(params['data']).map(([, item]) => item);
  if (items.length === 0) return err('no notified data');
  const queued = new Map(
    session
      .of(assetQueue)
      .of(kind)
      .map((one) => [keyOf(session, one), one]),
  );
  const events: AssetEvent[] = [];
  for (const item of items) {
    if (!isRecord(item)) continue;
    const [url, key] = [item['request_url'], item['queue_k']];
    if (typeof url !== 'string' || url === '' || typeof key !== 'string') continue;
    const slot = queued.get(key);
    if (slot === undefined) continue;
    queued.delete(key);
    events.push(eventOf({ ...slot, kind }, url, assetIn(item[`data_${kind}`], kind)));
  }
  stageIn(session, cacheAssets, events);
  return ok({ count: events.filter(({ type }) => type === 'PageAssetStored').length });
}

function keyOf(session: Session, { entry, variant }: QueuedAsset): string {
  const row = session.entry(entry);
  return row === undefined ? '' : `${variant} ${permalink(row, session)}`;
}

function eventOf(slot: QueuedAsset & { readonly kind: AssetKind }, url: string, data: string | string[]): AssetEvent {
  if (data.length === 0) return { type: 'PageAssetCleared', data: slot };
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  return { type: 'PageAssetStored', data: { ...slot, url, hash, data } };
}

/** Styles are a text, images a list of addresses; empty if the value is neither. */
function assetIn(value: unknown, kind: AssetKind): string | string[] {
  if (kind !== 'vpi') return typeof value === 'string' ? value : '';
  const list = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  return list.filter((one) => typeof one === 'string' && one !== '').map(urlDecoded);
}

function urlDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
