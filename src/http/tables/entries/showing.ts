import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow, Texts } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import type { Field } from '../../engine/field.ts';
import type { Context } from '../../engine/types.ts';
import { postOf } from '../../rendering/posts.ts';
import type { Post, Rendering } from '../../rendering/types.ts';
import { exposureOf } from './exposure.ts';
import type { PartMeta } from './part-meta.ts';

/** How entries are shown in an answer. */
export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  /** Renders what depends on more than its entry. */
  readonly rendering: Rendering;
  /** Password that came with the request. */
  readonly password?: string;
  /** Words in an excerpt that is made from the content. */
  readonly excerptLength?: number;
}

/** What all entries of a kind have in common when they are shown. */
interface ShownKind {
  readonly kind: EntryKind;
  readonly partMeta: PartMeta | undefined;
}

/** How one entry is shown. Its long texts are read once, when the first field needs them. */
export class ShownEntry {
  readonly showing: Showing;
  readonly model: Model;
  readonly isEdit: boolean;
  /** Its texts are hidden behind a password that did not come. */
  readonly locked: boolean;
  readonly #row: EntryRow;
  /** They are hidden also as they were written, where everybody may read those. */
  readonly hidden: boolean;
  /** Whether title and content are shown as they were written, and as they are rendered. */
  readonly raw: boolean;
  readonly rendered: boolean;
  readonly blockVersion: boolean;
  readonly partMeta: PartMeta | undefined;
  #texts: Texts | undefined;

  constructor(row: EntryRow, { kind, partMeta }: ShownKind, showing: Showing) {
    this.showing = showing;
    this.model = showing.model;
    this.isEdit = showing.context === 'edit';
    this.locked = row.password !== '' && !this.isEdit && showing.password !== row.password;
    this.hidden = this.locked && kind.rights.read === null;
    this.partMeta = partMeta;
    const { raw, rendered, blockVersion } = exposureOf(kind);
    this.raw = raw.includes(showing.context);
    this.rendered = rendered.includes(showing.context);
    this.blockVersion = blockVersion.includes(showing.context);
    this.#row = row;
  }

  /** The entry as what its texts are about. */
  get post(): Post {
    return postOf(this.#row, this.model);
  }

  get texts(): Texts {
    this.#texts ??= this.model.texts(this.#row.id) ?? noTexts;
    return this.#texts;
  }
}

/** A field of entries. */
export type EntryField = Field<EntryTypes>;

export interface EntryTypes {
  readonly kind: EntryKind;
  readonly row: EntryRow;
  readonly showing: ShownEntry;
  readonly model: Model;
  readonly input: EntryFields;
}

const noTexts: Texts = { content: '', excerpt: '' };
