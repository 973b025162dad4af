import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow, Texts } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { postOf } from '#site/rendering/posts.ts';
import type { Post, TextRendering } from '#site/rendering/types.ts';
import type { Field } from '../../engine/field.ts';
import type { Context } from '../../engine/types.ts';
import type { PartMeta } from './part-meta.ts';
import { textVisibilityOf } from './text-visibility.ts';

export interface EntryShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  readonly rendering: TextRendering;
  readonly password?: string;
  readonly excerptLength?: number;
}

interface ShownKind {
  readonly kind: EntryKind;
  readonly partMeta: PartMeta | undefined;
}

export class ShownEntry {
  readonly showing: EntryShowing;
  readonly model: Model;
  readonly isEdit: boolean;
  readonly locked: boolean;
  readonly #row: EntryRow;
  readonly hidden: boolean;
  readonly raw: boolean;
  readonly rendered: boolean;
  readonly blockVersion: boolean;
  readonly partMeta: PartMeta | undefined;
  #texts: Texts | undefined;

  constructor(row: EntryRow, { kind, partMeta }: ShownKind, showing: EntryShowing) {
    this.showing = showing;
    this.model = showing.model;
    this.isEdit = showing.context === 'edit';
    this.locked = row.password !== '' && !this.isEdit && showing.password !== row.password;
    this.hidden = this.locked && kind.rights.read === null;
    this.partMeta = partMeta;
    const { raw, rendered, blockVersion } = textVisibilityOf(kind);
    this.raw = raw.includes(showing.context);
    this.rendered = rendered.includes(showing.context);
    this.blockVersion = blockVersion.includes(showing.context);
    this.#row = row;
  }

  get post(): Post {
    return postOf(this.#row, this.model);
  }

  get texts(): Texts {
    this.#texts ??= this.model.texts(this.#row.id) ?? noTexts;
    return this.#texts;
  }
}

export type EntryField = Field<EntryTypes>;

export interface EntryTypes {
  readonly kind: EntryKind;
  readonly row: EntryRow;
  readonly showing: ShownEntry;
  readonly model: Model;
  readonly input: EntryFields;
}

const noTexts: Texts = { content: '', excerpt: '' };
