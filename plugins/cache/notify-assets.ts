import type { AssetKind, AssetSlot, PluginCall, PluginSession } from 'palimpsest/plugin';
import { done, entriesOf, failing, isMap } from './values.ts';

/** Stores what a service made for pages that wait for it; ignores everything else. */
export function notifyAssets({ model, params, view }: PluginCall<PluginSession>, kind: AssetKind) {
  const items = entriesOf(params['data']).map(([, item]) => item);
  if (items.length === 0) return failing('no notified data');
  const queued = new Map<string, AssetSlot>(
    model
      .waitingAssets(kind)
      .map((slot) => [`${slot.variant} ${view.entry(slot.entry)?.address ?? ''}`, slot] as const),
  );
  let count = 0;
  for (const item of items) {
    if (!isMap(item)) continue;
    const [url, key] = [item['request_url'], item['queue_k']];
    if (typeof url !== 'string' || url === '' || typeof key !== 'string') continue;
    const slot = queued.get(key);
    if (slot === undefined) continue;
    queued.delete(key);
    const data = assetIn(item[`data_${kind}`], kind);
    if (data.length > 0) count += 1;
    model.storeAsset(slot, data.length === 0 ? null : { url, data });
  }
  return done({ count });
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
