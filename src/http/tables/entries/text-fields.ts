import { z } from 'zod';
import { DYNAMIC, isDynamic } from '#blocks/dynamic.ts';
import { blockVersion, renderExcerpt } from '#blocks/render.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { blockData } from '#text/block-data.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Context } from '../../engine/types.ts';
import { contentStyles } from '../../pages/content-styles.ts';
import { described, editing, everywhere, raw, rendered, whole } from '../records/property.ts';
import { entryTexts, only, removesNothing } from './body.ts';
import { checkMeta } from './checks.ts';
import { partMetaOf } from './parts.ts';
import { type EntryField, type ShownEntry, textVisibilityOf } from './showing.ts';

/** Fields with texts: sent as they were written or in `raw`, also shown as rendered. */

export const title: EntryField = {
  name: 'title',
  description: 'The title for the post.',
  context: everywhere,
  schema: (kind) => z.object(shownTexts('title', kind)).partial(),
  json: titleJson,
  arg: () => ({ unchecked: true }),
  write: (call) => only('title', entryTexts(call).title),
};

export const content: EntryField = {
  name: 'content',
  description: 'The content for the post.',
  context: (kind) => textVisibilityOf(kind).content,
  schema: (kind) =>
    z
      .object({
        ...shownTexts('content', kind),
        block_version: described(z.int(), 'Version of the content block format used by the post.', {
          context: textVisibilityOf(kind).blockVersion,
          readonly: true,
        }),
        protected: guarded('content'),
        ...(textVisibilityOf(kind).rendered.length === 0 ? {} : { styles: stylesOnRequest }),
      })
      .partial(),
  json: contentJson,
  arg: () => ({ unchecked: true }),
  write: (call) => only('content', entryTexts(call).content),
};

export const excerpt: EntryField = {
  name: 'excerpt',
  description: 'The excerpt for the post.',
  context: everywhere,
  when: ({ features }) => features.has('excerpt'),
  schema: () =>
    z
      .object({
        raw: raw('Excerpt for the post', editing),
        rendered: rendered('HTML excerpt for the post', everywhere),
        protected: guarded('excerpt'),
      })
      .partial(),
  json: excerptJson,
  arg: () => ({ unchecked: true }),
  write: (call) => only('excerpt', entryTexts(call).excerpt),
};

export const meta: EntryField = {
  name: 'meta',
  description: 'Meta fields.',
  context: whole,
  when: ({ features }) => features.has('meta'),
  schema: (kind) => z.object({ footnotes, ...partMetaOf(kind)?.properties }).partial(),
  json: (row, { locked, partMeta }) =>
    `{"footnotes":${locked ? '""' : asciiJson(row.footnotes)}${partMeta?.json?.(row) ?? ''}}`,
  arg: (kind) => ({ check: partMetaOf(kind)?.check ?? checkMeta }),
  write: (call, name, kind) => ({
    ...(removesNothing(call) ? {} : only('footnotes', entryTexts(call).footnotes)),
    ...only('part', partMetaOf(kind)?.read(call.sent(name))),
  }),
};

/** The content as data, one block after the other. */
export const blocks: EntryField = {
  name: 'blocks',
  description:
    'The blocks of the content, each with its attributes, the blocks in it and what it shows. Only by name in `_fields`.',
  context: whole,
  onRequest: true,
  readonly: true,
  when: (kind) => textVisibilityOf(kind).rendered.length > 0 && textVisibilityOf(kind).content.length > 0,
  schema: () => z.array(blockSchema),
  json: (_, { detailed, isEdit }) => (detailed === undefined ? '[]' : asciiJson(blockData(detailed.blocks, isEdit))),
};

const blockSchema = z
  .object({
    name: z.string().nullable().describe('Name of the block with its namespace; null for text between blocks.'),
    attributes: z
      .record(z.string(), z.unknown())
      .describe('Its attributes, with those in its markup and the defaults.'),
    innerBlocks: z.array(z.unknown()).describe('The blocks in it.'),
    rendered: z.string().describe('The part of the rendered content that it makes.'),
  })
  .meta({ title: 'block' });

const stylesOnRequest = described(z.string(), 'Styles for the classes in the content. Only by name in `_fields`.', {
  context: whole,
  readonly: true,
  onRequest: true,
});

const footnotes = z.string().meta({ title: '', description: '', default: '' });

function guarded(what: string): z.ZodType {
  return described(z.boolean(), `Whether the ${what} is protected with a password.`, {
    context: everywhere,
    readonly: true,
  });
}

function shownTexts(what: 'title' | 'content', kind: EntryKind): Readonly<Record<string, z.ZodType>> {
  const shown = textVisibilityOf(kind);
  const isRendered = (context: Context) => shown.rendered.includes(context);
  const whenRendered = what === 'title' ? shown.rendered : shown.content.filter(isRendered);
  const name = what === 'title' ? 'Title' : 'Content';
  return {
    raw: raw(`${name} for the post`, shown.raw),
    ...(whenRendered.length === 0 ? {} : { rendered: rendered(`HTML ${what} for the post`, whenRendered) }),
  };
}

function titleJson(row: EntryRow, { raw: isRaw, rendered: isRendered }: ShownEntry): JsonText {
  if (!isRaw) return isRendered ? `{"rendered":${row.titleJson}}` : '{}';
  const written = `"raw":${asciiJson(row.title)}`;
  return isRendered ? `{${written},"rendered":${row.titleJson}}` : `{${written}}`;
}

function contentJson(row: EntryRow, shown: ShownEntry): JsonText {
  const isProtected = `"protected":${row.password !== ''}`;
  const text = shown.rendered
    ? `"rendered":${shown.locked ? '""' : contentOf(row, shown)},${isProtected}${stylesOf(shown)}`
    : isProtected;
  if (!shown.raw) return `{${text}}`;
  const { content: written } = shown.texts;
  const version = shown.blockVersion ? `,"block_version":${blockVersion(written)}` : '';
  return `{"raw":${shown.hidden ? '""' : asciiJson(written)},${text}${version}}`;
}

function excerptJson(row: EntryRow, shown: ShownEntry): JsonText {
  const text = `"rendered":${shown.locked ? '""' : excerptOf(row, shown)},"protected":${row.password !== ''}`;
  return shown.isEdit ? `{"raw":${asciiJson(shown.texts.excerpt)},${text}}` : `{${text}}`;
}

function stylesOf({ detailed, model, showing: { asked } }: ShownEntry): JsonText {
  if (asked?.styles !== true) return '';
  return `,"styles":${asciiJson(detailed === undefined ? '' : contentStyles(detailed, model))}`;
}

function contentOf(row: EntryRow, shown: ShownEntry): JsonText {
  const { detailed } = shown;
  if (detailed !== undefined) return asciiJson(detailed.html);
  return row.contentJson === DYNAMIC ? asciiJson(shown.showing.rendering.content(shown.post)) : row.contentJson;
}

function excerptOf(row: EntryRow, shown: ShownEntry): JsonText {
  const { excerptLength, rendering } = shown.showing;
  if (excerptLength === undefined || shown.texts.excerpt !== '') {
    return row.excerptJson === DYNAMIC ? asciiJson(rendering.excerpt(shown.post)) : row.excerptJson;
  }
  const { content } = shown.texts;
  if (isDynamic(content)) return asciiJson(rendering.excerpt(shown.post, { length: excerptLength }));
  return asciiJson(renderExcerpt('', content, { length: excerptLength }));
}
