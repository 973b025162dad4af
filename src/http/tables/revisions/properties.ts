import { z } from 'zod';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import type { Context } from '../../engine/types.ts';
import { described, properties } from '../entries/properties.ts';

const all: readonly Context[] = ['view', 'edit', 'embed'];
const full: readonly Context[] = ['view', 'edit'];
const dateTime = () => z.string().meta({ format: 'date-time' });

/** The fields of a revision, in the order in which the schema lists them; texts are those of its entry. */
export function revisionProperties(kind: EntryKind): Record<string, z.ZodType> {
  const ofEntry = properties(kind);
  const { guid, ...texts } = Object.fromEntries(
    ['guid', 'title', 'content', 'excerpt', 'meta'].map((name) => [name, ofEntry[name] ?? z.unknown()]),
  );
  return {
    author: described(z.int(), 'The ID for the author of the revision.', { context: all }),
    date: described(dateTime(), "The date the revision was published, in the site's timezone.", { context: all }),
    date_gmt: described(dateTime(), 'The date the revision was published, as GMT.', { context: full }),
    guid: guid ?? z.unknown(),
    id: described(z.int(), 'Unique identifier for the revision.', { context: all }),
    modified: described(dateTime(), "The date the revision was last modified, in the site's timezone.", {
      context: full,
    }),
    modified_gmt: described(dateTime(), 'The date the revision was last modified, as GMT.', { context: full }),
    parent: described(z.int(), 'The ID for the parent of the revision.', { context: all }),
    slug: described(z.string(), 'An alphanumeric identifier for the revision unique to its type.', { context: all }),
    ...texts,
  };
}

/** An autosave is a revision that can be looked at before it is saved. */
export function autosaveProperties(kind: EntryKind): Record<string, z.ZodType> {
  const link = z.string().meta({ format: 'uri' });
  return {
    ...revisionProperties(kind),
    preview_link: described(link, 'Preview link for the post.', { context: ['edit'], readonly: true }),
  };
}

/** The record schema that OPTIONS answers (interface behaviour, section 24). */
export function schemaOf(kind: EntryKind, fields: Record<string, z.ZodType>): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: `${kind.name}-revision`,
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
