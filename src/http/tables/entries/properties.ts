import { z } from 'zod';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { formats, writableStatuses } from '#domain/entry/vocabulary.ts';
import type { Context } from '../../engine/types.ts';
import { productMeta } from './product.ts';

/**
 * The fields of entries, described once: from here come the arguments of create and update, the schema in
 * OPTIONS, and which field is shown in which context.
 */

const all: readonly Context[] = ['view', 'edit', 'embed'];
const full: readonly Context[] = ['view', 'edit'];
const edit: readonly Context[] = ['edit'];

interface Shown {
  readonly context: readonly Context[];
  readonly readonly?: true;
}

const dateTime = () => z.string().meta({ format: 'date-time' });
const nullableDate = () => z.string().nullable().meta({ format: 'date-time' });
const ids = () => z.array(z.int());
const openness = () => z.enum(['open', 'closed']);

export function described<T extends z.ZodType>(schema: T, description: string, shown: Shown): T {
  return schema.meta({ ...schema.meta(), description, ...shown }) as T;
}

/** A text as it was written. */
export const raw = (what: string) => described(z.string(), `${what}, as it exists in the store.`, { context: edit });
/** A text as it is shown. */
export const rendered = (what: string, context: readonly Context[]) =>
  described(z.string(), `${what}, transformed for display.`, { context, readonly: true });
const guarded = (what: string) =>
  described(z.boolean(), `Whether the ${what} is protected with a password.`, { context: all, readonly: true });

function shared(kind: EntryKind): Record<string, z.ZodType> {
  return {
    date: described(nullableDate(), "The date the post was published, in the site's timezone.", { context: all }),
    date_gmt: described(nullableDate(), 'The date the post was published, as GMT.', { context: full }),
    guid: described(
      z
        .object({
          raw: described(z.string(), 'GUID for the post, as it exists in the store.', {
            context: edit,
            readonly: true,
          }),
          rendered: described(z.string(), 'GUID for the post, transformed for display.', {
            context: full,
            readonly: true,
          }),
        })
        .partial(),
      'The globally unique identifier for the post.',
      { context: full, readonly: true },
    ),
    id: described(z.int(), 'Unique identifier for the post.', { context: all, readonly: true }),
    link: described(z.string().meta({ format: 'uri' }), 'URL to the post.', { context: all, readonly: true }),
    modified: described(dateTime(), "The date the post was last modified, in the site's timezone.", {
      context: full,
      readonly: true,
    }),
    modified_gmt: described(dateTime(), 'The date the post was last modified, as GMT.', {
      context: full,
      readonly: true,
    }),
    slug: described(z.string(), 'An alphanumeric identifier for the post unique to its type.', { context: all }),
    status: described(z.enum(writableStatuses), 'A named status for the post.', { context: full }),
    type: described(z.string(), 'Type of post.', { context: all, readonly: true }),
    password: described(z.string(), 'A password to protect access to the content and excerpt.', { context: edit }),
    permalink_template: described(z.string(), 'Permalink template for the post.', { context: edit, readonly: true }),
    generated_slug: described(z.string(), 'Slug automatically generated from the post title.', {
      context: edit,
      readonly: true,
    }),
    class_list: described(z.array(z.string()), 'An array of the class names for the post container element.', {
      context: full,
      readonly: true,
    }),
    ...(kind.hierarchical
      ? { parent: described(z.int(), 'The ID for the parent of the post.', { context: full }) }
      : {}),
    title: described(
      z.object({ raw: raw('Title for the post'), rendered: rendered('HTML title for the post', all) }).partial(),
      'The title for the post.',
      { context: all },
    ),
    content: described(
      z
        .object({
          raw: raw('Content for the post'),
          rendered: rendered('HTML content for the post', full),
          block_version: described(z.int(), 'Version of the content block format used by the post.', {
            context: edit,
            readonly: true,
          }),
          protected: guarded('content'),
        })
        .partial(),
      'The content for the post.',
      { context: full },
    ),
    author: described(z.int(), 'The ID for the author of the post.', { context: all }),
    excerpt: described(
      z
        .object({
          raw: raw('Excerpt for the post'),
          rendered: rendered('HTML excerpt for the post', all),
          protected: guarded('excerpt'),
        })
        .partial(),
      'The excerpt for the post.',
      { context: all },
    ),
    featured_media: described(z.int(), 'The ID of the featured media for the post.', { context: all }),
    comment_status: described(openness(), 'Whether or not comments are open on the post.', { context: full }),
    ping_status: described(openness(), 'Whether or not the post can be pinged.', { context: full }),
    ...(kind.hierarchical
      ? { menu_order: described(z.int(), 'The order of the post in relation to other posts.', { context: full }) }
      : {}),
  };
}

const footnotes = z.string().meta({ title: '', description: '', default: '' });
const meta = (kind: EntryKind) =>
  described(z.object({ footnotes, ...(kind.sold ? productMeta : {}) }).partial(), 'Meta fields.', { context: full });
const template = () => described(z.string(), 'The theme file to use to display the post.', { context: full });

const format = () => described(z.enum(formats), 'The format for the post.', { context: full });
const sticky = () => described(z.boolean(), 'Whether or not the post should be treated as sticky.', { context: full });

function classes(): Record<string, z.ZodType> {
  return {
    categories: described(ids(), 'The terms assigned to the post in the category taxonomy.', { context: full }),
    tags: described(ids(), 'The terms assigned to the post in the post_tag taxonomy.', { context: full }),
  };
}

/** Every field of a kind, in the order in which the schema lists them. */
export function properties(kind: EntryKind): Record<string, z.ZodType> {
  return {
    ...shared(kind),
    ...(kind.styled ? { format: format() } : {}),
    meta: meta(kind),
    ...(kind.styled ? { sticky: sticky() } : {}),
    template: template(),
    ...(kind.classified ? classes() : {}),
  };
}

export interface PropertyMeta {
  readonly context?: readonly Context[];
  readonly readonly?: true;
}
