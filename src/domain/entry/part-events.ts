import { z } from 'zod';
import { defineEvent, unchangedData } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';
import { menuItemTypes } from './menu-item.ts';
import { syncStatuses } from './pattern.ts';
import { stockStatuses } from './product.ts';

/** Changes of the parts that entries of one kind have. */

export const local = limited.word.describe('YYYY-MM-DDTHH:MM:SS, in the zone of the site or in UTC as the field says');
export const savedAt = { modified: local, modifiedGmt: local };
const id = z.int().min(0);
const attribute = z.object({ name: limited.word, label: limited.word, options: limited.list(limited.word) });

export const EntryProductChanged = defineEvent({
  type: 'EntryProductChanged',
  summary:
    'Price, stock or attributes of a product changed; only changed fields are recorded. Version 1 contains all of them.',
  schema: z.object({
    regularPrice: limited.word.describe('decimal number; empty: none').exactOptional(),
    salePrice: limited.word.describe('decimal number; empty: none').exactOptional(),
    sku: limited.word.exactOptional(),
    stockStatus: z.enum(stockStatuses).exactOptional(),
    featured: z.boolean().exactOptional(),
    averageRating: z.number().exactOptional(),
    totalSales: z.int().min(0).exactOptional(),
    attributes: limited.list(attribute).exactOptional(),
    ...savedAt,
  }),
  sealed: ['sku', 'attributes'],
  erased: { sku: '', attributes: [] },
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const EntryPatternChanged = defineEvent({
  type: 'EntryPatternChanged',
  summary: 'Whether a pattern is synced, and how, changed.',
  schema: z.object({ syncStatus: z.enum(syncStatuses).exactOptional(), ...savedAt }),
});

export const EntryMenuItemChanged = defineEvent({
  type: 'EntryMenuItemChanged',
  summary: 'Where an item of a menu leads, or how it is marked up, changed; only changed fields are recorded.',
  schema: z.object({
    type: z.enum(menuItemTypes).exactOptional(),
    object: limited.word.describe('a kind of entries, a taxonomy, or `custom`').exactOptional(),
    objectId: id.describe('id of what it leads to; 0: nothing').exactOptional(),
    url: limited.address.describe('of its own; empty where it leads to something').exactOptional(),
    target: z.enum(['', '_blank']).exactOptional(),
    classes: limited.list(limited.word).exactOptional(),
    xfn: limited.list(limited.word).exactOptional(),
    ...savedAt,
  }),
  sealed: ['url', 'classes', 'xfn'],
  erased: { url: '', classes: [], xfn: [] },
  subjects: ofItsStream,
});
