import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { Model } from '#projections/reading/model.ts';

/** What is shown as a revision: a revision, an autosave, or a draft that was saved in place of an autosave. */
export interface ShownRevision {
  readonly id: number;
  readonly author: number;
  readonly date: string | null;
  readonly dateGmt: string | null;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly parent: number;
  readonly slug: string;
  readonly texts: RevisionTexts;
  readonly previewLink?: string;
}

/** A revision in this form; its texts are read on demand. */
export function shownRevision(row: RevisionRow, model: Model): ShownRevision {
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

export function slugOf({ parent, isAutosave }: RevisionRow): string {
  return `${parent}-${isAutosave ? 'autosave' : 'revision'}-v1`;
}
