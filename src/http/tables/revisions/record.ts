import { kindOf } from '#domain/entry/kinds.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { Model } from '#projections/model.ts';
import type { RevisionRow } from '#projections/revisions.ts';
import { worked } from '#text/elsewhere.ts';
import { asciiJson } from '#text/json.ts';
import type { Context, JsonText, Rec } from '../../engine/types.ts';
import { restRoot } from '../entries/relations.ts';

/** What is shown as a revision: one, an autosave, or an entry that was saved in place of one. */
export interface Shown {
  readonly id: number;
  readonly author: number;
  /** Null while they float. */
  readonly date: string | null;
  readonly dateGmt: string | null;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly parent: number;
  readonly slug: string;
  readonly texts: RevisionTexts;
  /** Shown in context edit where there is one. */
  readonly previewLink?: string;
}

/** A revision as what is shown; its texts are read when they are needed. */
export function shownRevision(row: RevisionRow, model: Model): Shown {
  let texts: RevisionTexts | undefined;
  return {
    ...row,
    modified: row.date,
    modifiedGmt: row.dateGmt,
    slug: slugOf(row),
    get texts() {
      texts ??= model.revisionTexts(row);
      return texts;
    },
  };
}

/** Revisions have no names of their own. */
export function slugOf({ parent, isAutosave }: RevisionRow): string {
  return `${parent}-${isAutosave ? 'autosave' : 'revision'}-v1`;
}

/** A revision as a record (interface behaviour, section 19): every field's JSON on its own, made when it is asked for. */
export function revisionRecord(shown: Shown, { context, model }: { context: Context; model: Model }): Rec {
  const own = names[context].filter((name) => name !== 'preview_link' || shown.previewLink !== undefined);
  return {
    names: shown.parent === 0 ? own : [...own, '_links'],
    json: (name) => fields[name]?.(shown, { isEdit: context === 'edit', model }) ?? 'null',
  };
}

interface How {
  readonly isEdit: boolean;
  readonly model: Model;
}

const fields: Readonly<Record<string, (shown: Shown, how: How) => JsonText>> = {
  author: ({ author }) => String(author),
  date: ({ date }) => asciiJson(date),
  date_gmt: ({ dateGmt }) => asciiJson(dateGmt),
  id: ({ id }) => String(id),
  modified: ({ modified }) => asciiJson(modified),
  modified_gmt: ({ modifiedGmt }) => asciiJson(modifiedGmt),
  parent: ({ parent }) => String(parent),
  slug: ({ slug }) => asciiJson(slug),
  guid: ({ id }, { model, isEdit }) => {
    const address = `${model.site().url}/?p=${id}`;
    return asciiJson(isEdit ? { rendered: address, raw: address } : { rendered: address });
  },
  title: ({ texts }, how) => textJson(texts.title, worked('title', texts.title), how),
  content: ({ texts }, how) => textJson(texts.content, worked('content', texts.content, texts.footnotes), how),
  excerpt: ({ texts }, how) => textJson(texts.excerpt, worked('revisionExcerpt', texts.excerpt), how),
  meta: ({ texts }) => asciiJson({ footnotes: texts.footnotes }),
  preview_link: ({ previewLink }) => asciiJson(previewLink),
  _links: ({ parent }, { model }) => {
    const kind = model.entry(parent)?.kind;
    const root = restRoot(model.site().url);
    return kind === undefined ? '{}' : `{"parent":[{"href":"${root}/${kindOf(kind).base}/${parent}"}]}`;
  },
};

const embed = ['author', 'date', 'id', 'parent', 'slug', 'title', 'excerpt'];
const view = 'author date date_gmt id modified modified_gmt parent slug guid title content excerpt meta'.split(' ');
const names: Readonly<Record<Context, readonly string[]>> = { embed, view, edit: [...view, 'preview_link'] };

function textJson(raw: string, rendered: JsonText, { isEdit }: How): JsonText {
  return isEdit ? `{"raw":${asciiJson(raw)},"rendered":${rendered}}` : `{"rendered":${rendered}}`;
}
