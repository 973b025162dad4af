import { z } from 'zod';
import { DYNAMIC, isDynamic } from '#blocks/dynamic.ts';
import { blockVersion, renderExcerpt } from '#blocks/render.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { described, editing, everywhere, raw, rendered, whole } from '../../engine/property.ts';
import type { Context } from '../../engine/types.ts';
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
    ? `"rendered":${shown.locked ? '""' : contentOf(row, shown)},${isProtected}`
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

function contentOf(row: EntryRow, shown: ShownEntry): JsonText {
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
