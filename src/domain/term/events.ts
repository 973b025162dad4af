import { z } from 'zod';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { againField, deleted, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';

export type Taxonomy = (typeof taxonomies)[number];
export type TermEvent = EventOf<(typeof termEvents)[number]>;
export type TermDeletedEvent = EventOf<typeof TermDeleted>;

const id = z.int().min(0);
export const taxonomies = ['category', 'post_tag', 'wp_pattern_category', 'nav_menu'] as const;
const taxonomy = z.enum(taxonomies);
const fields = { name: limited.name, slug: limited.word, description: limited.paragraph, parent: id };

export const TermCreated = defineEvent({
  type: 'TermCreated',
  summary: 'A term was created: a category, a tag, a category of patterns or a menu.',
  schema: z.object({ id, taxonomy, ...fields, ...againField }),
  upcasters: [unchangedData],
});

export const TermChanged = defineEvent({
  type: 'TermChanged',
  summary:
    'Name, slug, description or parent of a term changed; only changed fields are recorded. Version 1 contains all of them.',
  schema: z.object({
    id,
    taxonomy,
    name: limited.name.exactOptional(),
    slug: limited.word.exactOptional(),
    description: limited.paragraph.exactOptional(),
    parent: id.exactOptional(),
  }),
  upcasters: [unchangedData],
});

export const TermDeleted = defineEvent({
  type: 'TermDeleted',
  summary:
    'A term was deleted. Entries lose it; posts without another category get the heir. Its children move to its parent.',
  schema: z.object({ id, taxonomy, parent: id, heir: id.describe('category for posts left without one; 0: none') }),
});

export const MenuChanged = defineEvent({
  type: 'MenuChanged',
  summary: 'Where a menu is shown changed, or whether published pages are added to it; only what changed is recorded.',
  schema: z.object({
    id,
    taxonomy,
    locations: limited.list(limited.word).describe('names of the places that it is shown in').exactOptional(),
    autoAdd: z.boolean().describe('top-level pages are added when they are published').exactOptional(),
  }),
});

export const termEvents = [TermCreated, TermChanged, TermDeleted, MenuChanged] as const;

export const termSequence: Sequence & { readonly steps: Record<TermEvent['type'], Step> } = {
  kind: 'term',
  numbered: true,
  steps: {
    TermCreated: { from: [initial], again: [deleted], to: existing },
    TermChanged: { from: [existing] },
    MenuChanged: { from: [existing] },
    TermDeleted: { from: [existing], to: deleted },
  },
};
