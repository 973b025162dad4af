import type { WantedItem } from '#commands/migration.ts';
import { inOrder } from '#wxr/in-order.ts';
import type { CommentRecord, ItemRecord, KnownThing, RevisionRecord, SiteSource, SourceRecord } from '#wxr/records.ts';
import type { ShownProgress } from '../progress.ts';
import type { Catalogue } from './catalogue.ts';
import { isKnownTaxonomy, isKnownType } from './catalogue.ts';
import type { SourceFiles } from './files.ts';
import { withRevisions } from './gathering.ts';
import { authorItem, termItem } from './groundwork.ts';
import { type Importer, kindWord } from './importer.ts';
import { pictureKey, withoutInlinePictures } from './pictures.ts';
import { settingsItem, stylesItem, templateItem } from './site-items.ts';
import { commentItem, entryItem, type Making, mediaItem } from './states.ts';
import type { MigrationTarget } from './target.ts';

export interface RunParts {
  readonly source: SiteSource;
  /** How it is read. */
  readonly form: string;
  readonly catalogue: Catalogue;
  readonly target: MigrationTarget;
  readonly making: Making;
  readonly importer: Importer;
  readonly files: SourceFiles;
  /** Whether name, zone and front page of the site become those of the source. */
  readonly takesSettings: boolean;
}

/** Files that are fetched at the same time. */
const atOnce = 4;

/** Imports all that a source has and that was not imported before, as it is now. */
export class MigrationRun {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Accounts and terms: everything else names them. */
  async groundwork(): Promise<void> {
    const { catalogue, making, importer } = this.#parts;
    const { places } = making;
    for (const [key, author] of catalogue.authors) {
      if (places.account(key) !== undefined) importer.count('author', 'matched');
      else await this.#add('author', authorItem(key, author, making), author);
    }
    await importer.flush();
    for (const [key, term] of catalogue.terms) {
      if (!isKnownTaxonomy(term.taxonomy)) await this.#parts.importer.keep(term);
      else if (places.standingTerm(key) !== undefined) importer.count('term', 'matched');
      else await this.#add('term', termItem(key, term, making), term);
    }
    await importer.flush();
  }

  /** Media items with their files, which texts refer to. */
  async media(progress: ShownProgress): Promise<void> {
    let done = 0;
    for await (const put of inOrder(this.#media(), atOnce, (record) => this.#medium(record))) {
      await put();
      done += 1;
      await progress.at(done);
    }
    await this.#parts.importer.flush();
  }

  /** No more is read than it takes to have all of them. */
  async *#media(): AsyncGenerator<ItemRecord> {
    let left = this.#parts.catalogue.counts.get('attachment') ?? 0;
    if (left === 0) return;
    const wants = (kind: string, type: string) => kind === 'item' && type === 'attachment';
    const isKnown = (thing: KnownThing) => {
      const isSame = this.#isKnown(thing);
      if (isSame) left -= 1;
      return isSame;
    };
    for await (const part of this.#parts.source.read({ isKnown, wants })) {
      if ('record' in part && isMedia(part.record)) {
        yield part.record;
        left -= 1;
      }
      if (left <= 0) return;
    }
  }

  /** Everything else. */
  async contents(progress: ShownProgress): Promise<void> {
    const { source, importer } = this.#parts;
    let done = 0;
    const isKnown = (thing: KnownThing) => {
      const isSame = this.#isKnown(thing);
      if (isSame) done += 1;
      return isSame;
    };
    const parts = source.read({ isKnown, wants: (_, type) => type !== 'attachment' });
    for await (const { record, revisions } of withRevisions(parts)) {
      if (record.kind !== 'item') await this.#other(record);
      else if (!isMedia(record)) await this.#item(record, revisions);
      if (isCounted(kindWord(record))) done += 1;
      await progress.at(done);
    }
    await importer.flush();
    if (this.#parts.takesSettings) await this.#settings();
  }

  readonly #isKnown = (what: KnownThing) => {
    const known = this.#parts.making.places.known(`${what.kind} ${what.id}`);
    const isSame =
      known !== undefined && this.#isOfForm(known.run) && known.modified !== '' && known.modified === what.modifiedGmt;
    if (isSame) this.#parts.importer.count(this.#parts.catalogue.items.get(what.id)?.type ?? what.kind, 'same');
    return isSame;
  };

  /** Another form of the same source may say more of an item that is known. */
  #isOfForm(run: number): boolean {
    const { form, target } = this.#parts;
    return target.runs.find((one) => one.run === run)?.form === form;
  }

  /** Fetches the file of a media item, unless it is here. Returns what imports both. */
  async #medium(record: ItemRecord): Promise<() => unknown> {
    const { making, importer, files } = this.#parts;
    const item = mediaItem(record, making);
    if (this.#isDone(item)) return () => importer.count('attachment', 'same');
    const isThere =
      making.places.known(item.key) !== undefined && making.places.file(record.file?.path ?? '') !== undefined;
    const file = isThere ? undefined : await files.fetch(item.key, record);
    if (file === undefined) return () => importer.add('attachment', item, { record });
    if (!('code' in file)) return () => importer.add('attachment', item, { record, file });
    return () => {
      importer.count('attachment', 'refused');
      return importer.refuse(file, record);
    };
  }

  async #item(found: ItemRecord, revisions: readonly RevisionRecord[]): Promise<void> {
    const { making } = this.#parts;
    if (!isKnownType(found.type)) return this.#parts.importer.keep(found);
    const record = await withoutInlinePictures(found, (picture) => this.#picture(picture, found));
    const item = entryItem(record, revisions, making);
    if (item !== null) await this.#add(record.type, item, record);
  }

  /** The address of a picture that stood in a text, as a media item of its own. */
  async #picture(
    picture: { hash: string; name: string; bytes: Buffer },
    { date, dateGmt, author }: ItemRecord,
  ): Promise<string | null> {
    const { making, importer, files, target } = this.#parts;
    const { places } = making;
    const address = () => {
      const file = places.file(picture.name);
      return file === undefined ? null : `${target.site.url}/uploads/${file.path}`;
    };
    if (address() !== null) return address();
    const key = pictureKey(picture);
    const record = pictureRecord(picture.name, { date, dateGmt, author });
    const item = { ...mediaItem(record, making), key, id: places.known(key)?.id ?? 0, digest: picture.hash };
    await importer.flush();
    await importer.add('picture', item, { file: await files.keep(picture.name, picture.bytes) });
    await importer.flush();
    return address();
  }

  async #other(record: Exclude<SourceRecord, ItemRecord>): Promise<void> {
    const { making, target } = this.#parts;
    if (record.kind === 'comment') return this.#comment(record);
    if (record.kind === 'template') {
      const item = templateItem(record, { ...making, target });
      return item === null ? this.#parts.importer.keep(record) : this.#add('template', item, record);
    }
    if (record.kind === 'styles') {
      const item = stylesItem(record, { ...making, target });
      return item === null ? this.#parts.importer.keep(record) : this.#add('styles', item, record);
    }
    // Of an item that is not among what comes.
    if (record.kind === 'revision') await this.#parts.importer.keep(record);
  }

  async #comment(record: CommentRecord): Promise<void> {
    const { making, importer } = this.#parts;
    // What it answers may be waiting for its id.
    if (record.parent !== 0 && making.places.comment(record.parent) === 0) await importer.flush();
    const item = making.places.item(record.of) === 0 ? null : commentItem(record, making);
    if (item === null) await this.#parts.importer.keep(record);
    else await this.#add(record.type, item, record);
  }

  async #settings(): Promise<void> {
    const { catalogue, making, importer } = this.#parts;
    await this.#add('settings', settingsItem(catalogue.site, making));
    await importer.flush();
  }

  async #add(kind: string, item: WantedItem, record?: SourceRecord): Promise<void> {
    if (this.#isDone(item)) this.#parts.importer.count(kind, 'same');
    else await this.#parts.importer.add(kind, item, record === undefined ? {} : { record });
  }

  #isDone({ key, digest }: { readonly key: string; readonly digest: string }): boolean {
    const known = this.#parts.making.places.known(key);
    return known !== undefined && known.area !== null && known.digest === digest;
  }
}

export function isMedia(record: SourceRecord): record is ItemRecord & { readonly type: 'attachment' } {
  return record.kind === 'item' && record.type === 'attachment';
}

/** Kinds that are no contents, or of which a source does not say at first how many it has. */
const uncounted = ['site', 'author', 'term', 'attachment', 'revision', 'template', 'styles', 'repaired', 'skipped'];

/** Whether things of a kind count as contents in progress. */
export function isCounted(kind: string): boolean {
  return !uncounted.includes(kind);
}

/** A media item for a picture that had none. */
export function pictureRecord(
  name: string,
  { date, dateGmt, author }: Pick<ItemRecord, 'date' | 'dateGmt' | 'author'>,
): ItemRecord {
  const stem = name.replace(/\.[^.]*$/, '');
  const texts = { title: stem, content: '', excerpt: '', footnotes: '', link: '', guid: '', password: '' };
  const times = { date, dateGmt, modified: null, modifiedGmt: null };
  const file = { url: '', path: name, type: '', altText: '', width: 0, height: 0, original: '', sizes: [] };
  return {
    ...{ kind: 'item', id: 0, type: 'attachment', status: 'inherit', slug: stem, author, parent: 0, menuOrder: 0 },
    ...texts,
    ...times,
    ...{ commentStatus: 'closed', pingStatus: 'closed', sticky: false, template: '', format: '', terms: [] },
    ...{ featured: 0, file, menuItem: null, syncStatus: '', meta: [] },
  };
}
