import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofItem } from '#domain/kernel/subject.ts';
import { defineArea } from '../plugins/area.ts';
import { assetKinds, assetVariants } from './slots.ts';

const slot = {
  entry: z.int().min(1),
  kind: z.enum(assetKinds),
  variant: z.enum(assetVariants),
};

const PageAssetStored = defineEvent({
  type: 'PageAssetStored',
  summary: 'A service delivered a result that makes a page faster; the page no longer waits for it.',
  schema: z.object({
    ...slot,
    url: limited.address.describe('the page that the service analysed'),
    hash: limited.word.describe('SHA-256 of the data'),
    data: z.union([limited.document, limited.list(limited.document)]).describe('a style sheet, or addresses of images'),
  }),
  sealed: ['url', 'data'],
  erased: { url: '', data: '' },
  subjects: ({ data }) => ofItem(data.entry),
});

const PageAssetCleared = defineEvent({
  type: 'PageAssetCleared',
  summary: 'A page has no result of this kind: a service found none, or the page was deleted.',
  schema: z.object(slot),
});

export type AssetEvent = EventOf<typeof PageAssetStored> | EventOf<typeof PageAssetCleared>;

export type PageAssets = Readonly<Record<string, Omit<EventOf<typeof PageAssetStored>['data'], keyof typeof slot>>>;

const empty: PageAssets = {};

export const cacheAssets = defineArea({
  name: 'cache-page-assets',
  events: [PageAssetStored, PageAssetCleared],
  empty,
  keysOf: ({ data }) => [String(data.entry)],
  evolve(assets, event) {
    const { kind, variant } = event.data;
    const name = `${kind} ${variant}`;
    if (event.type === 'PageAssetStored') {
      const { url, hash, data } = event.data;
      return { ...assets, [name]: { url, hash, data } };
    }
    const { [name]: _, ...rest } = assets;
    return rest;
  },
});

export function forgetAssets(entry: number, assets: PageAssets): readonly AssetEvent[] {
  return assetKinds
    .flatMap((kind) => assetVariants.map((variant) => ({ entry, kind, variant })))
    .filter(({ kind, variant }) => Object.hasOwn(assets, `${kind} ${variant}`))
    .map((data) => ({ type: 'PageAssetCleared', data }));
}
