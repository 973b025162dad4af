import { z } from 'zod';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { DYNAMIC } from '#text/dynamic.ts';
import { worked } from '#text/elsewhere.ts';
import { asciiJson } from '#text/json.ts';
import { blockVersion } from '#text/render.ts';
import { described, editing, everywhere, raw, rendered, whole } from '../../engine/property.ts';
import type { JsonText } from '../../engine/types.ts';
import { entryTexts } from './body.ts';
import { checkMeta } from './checks.ts';
import { checkProductMeta, productFields, productMeta, productMetaJson } from './product.ts';
import type { EntryField, ShownEntry } from './showing.ts';
import { only } from './write.ts';

/** Fields that hold texts: sent as they were written or in `raw`, shown as they are rendered too. */

export const title: EntryField = {
  name: 'title',
  description: 'The title for the post.',
  context: everywhere,
  schema: () =>
    z.object({ raw: raw('Title for the post'), rendered: rendered('HTML title for the post', everywhere) }).partial(),
  json: (row, { isEdit }) =>
    isEdit ? `{"raw":${asciiJson(row.title)},"rendered":${row.titleJson}}` : `{"rendered":${row.titleJson}}`,
  arg: () => ({ unchecked: true }),
  write: (call) => only('title', entryTexts(call).title),
};

export const content: EntryField = {
  name: 'content',
  description: 'The content for the post.',
  context: whole,
  schema: () =>
    z
      .object({
        raw: raw('Content for the post'),
        rendered: rendered('HTML content for the post', whole),
        block_version: described(z.int(), 'Version of the content block format used by the post.', {
          context: editing,
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
  schema: () =>
    z
      .object({
        raw: raw('Excerpt for the post'),
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
  schema: (kind) => z.object({ footnotes, ...(kind.sold ? productMeta : {}) }).partial(),
  json: (row, { locked }) =>
    `{"footnotes":${locked ? '""' : asciiJson(row.footnotes)}${kindOf(row.kind).sold ? productMetaJson(row.product) : ''}}`,
  arg: ({ sold }: EntryKind) => ({ check: sold ? checkProductMeta : checkMeta }),
  write: (call, name, { sold }) => ({
    ...only('footnotes', entryTexts(call).footnotes),
    ...only('product', sold ? productFields(call.sent(name)) : undefined),
  }),
};

const footnotes = z.string().meta({ title: '', description: '', default: '' });

function guarded(what: string): z.ZodType {
  return described(z.boolean(), `Whether the ${what} is protected with a password.`, {
    context: everywhere,
    readonly: true,
  });
}

function contentJson(row: EntryRow, shown: ShownEntry): JsonText {
  const text = `"rendered":${shown.locked ? '""' : contentOf(row, shown)},"protected":${row.password !== ''}`;
  if (!shown.isEdit) return `{${text}}`;
  const { content: written } = shown.texts;
  return `{"raw":${asciiJson(written)},${text},"block_version":${blockVersion(written)}}`;
}

function excerptJson(row: EntryRow, shown: ShownEntry): JsonText {
  const text = `"rendered":${shown.locked ? '""' : excerptOf(row, shown)},"protected":${row.password !== ''}`;
  return shown.isEdit ? `{"raw":${asciiJson(shown.texts.excerpt)},${text}}` : `{${text}}`;
}

function contentOf({ contentJson }: EntryRow, shown: ShownEntry): JsonText {
  return contentJson === DYNAMIC ? asciiJson(shown.showing.rendering.content(shown.post)) : contentJson;
}

/** Only an excerpt that is made from the content can be asked for in another length. */
function excerptOf(row: EntryRow, shown: ShownEntry): JsonText {
  const { excerptLength, rendering } = shown.showing;
  if (excerptLength === undefined || shown.texts.excerpt !== '') {
    return row.excerptJson === DYNAMIC ? asciiJson(rendering.excerpt(shown.post)) : row.excerptJson;
  }
  const made = worked('excerptOfLength', shown.texts.content, String(excerptLength));
  return made === DYNAMIC ? asciiJson(rendering.excerpt(shown.post, { length: excerptLength })) : made;
}
