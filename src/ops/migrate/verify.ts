import { isOnly } from '#commands/imported-state.ts';
import { differingFields, type WantedItem } from '#commands/migration.ts';
import type { Media } from '#domain/media/state.ts';
import { DownloadFailed } from '#outgoing/download.ts';
import { plain } from '#text/html.ts';
import { type ItemRecord, type RevisionRecord, type SiteSource, SourceFault, type SourceRecord } from '#wxr/records.ts';
import type { ShownProgress } from '../progress.ts';
import type { Ask } from './asking.ts';
import { type Catalogue, isKnownTaxonomy, isKnownType } from './catalogue.ts';
import type { SourceFiles } from './files.ts';
import { withRevisions } from './gathering.ts';
import { authorItem, termItem } from './groundwork.ts';
import { type ImportRemark, kindWord } from './importer.ts';
import { pictureKey, withoutInlinePictures } from './pictures.ts';
import { isMedia } from './run.ts';
import { stylesItem, templateItem } from './site-items.ts';
import { commentItem, entryItem, keyOfRecord, type Making, mediaItem, recordDigest } from './states.ts';
import type { MigrationTarget } from './target.ts';

export interface VerifyParts {
  readonly source: SiteSource;
  readonly catalogue: Catalogue;
  readonly target: MigrationTarget;
  readonly making: Making;
  readonly files: SourceFiles;
  readonly ask: Ask;
}

interface Standing {
  readonly state: object;
  readonly revisions?: readonly (Record<string, unknown> & { readonly savedGmt?: string })[];
  readonly shown?: string;
}

interface Waiting {
  readonly kind: string;
  readonly item: WantedItem;
  /** What was written, of which readers have to see every word; '': nothing. */
  readonly written: string;
  readonly file: ItemRecord | null;
}

const atOnce = 100;
const mostRemarks = 10_000;

/** Compares all that a source has with what is here: item by item, field by field, file by file. */
export class Comparison {
  readonly #parts: VerifyParts;
  #waiting: Waiting[] = [];
  #comparing: Promise<void> = Promise.resolve();
  readonly counts: Record<string, Record<string, number>> = {};
  readonly remarks: ImportRemark[] = [];
  readonly renamed: ImportRemark[] = [];

  constructor(parts: VerifyParts) {
    this.#parts = parts;
  }

  async all(progress: ShownProgress): Promise<void> {
    const { source, catalogue, making } = this.#parts;
    const { places } = making;
    for (const [key, author] of catalogue.authors) {
      if (places.account(key) !== undefined) this.#count('author', 'matched');
      else await this.#add({ kind: 'author', item: authorItem(key, author, making) });
    }
    for (const [key, term] of catalogue.terms) {
      if (!isKnownTaxonomy(term.taxonomy)) this.#carried(term);
      else if (places.standingTerm(key) !== undefined) this.#count('term', 'matched');
      else await this.#add({ kind: 'term', item: termItem(key, term, making) });
    }
    for await (const { record, revisions } of withRevisions(source.read())) {
      await progress.at(source.done());
      if (record.kind === 'item') await this.#item(record, revisions);
      else await this.#other(record);
    }
    await this.#settle();
    await this.#comparing;
  }

  async #item(found: ItemRecord, revisions: readonly RevisionRecord[]): Promise<void> {
    const { making, target } = this.#parts;
    if (isMedia(found)) return this.#add({ kind: 'attachment', item: mediaItem(found, making), file: found });
    if (!isKnownType(found.type)) return this.#carried(found);
    const record = await withoutInlinePictures(found, async (picture) => {
      const file = making.places.known(pictureKey(picture)) && making.places.file(picture.name);
      return file ? `${target.site.url}/uploads/${file.path}` : null;
    });
    const item = entryItem(record, revisions, making);
    if (item !== null) await this.#add({ kind: record.type, item, written: record.content });
  }

  async #other(record: Exclude<SourceRecord, ItemRecord>): Promise<void> {
    const { making, target } = this.#parts;
    if (record.kind === 'comment') {
      const item = making.places.item(record.of) === 0 ? null : commentItem(record, making);
      return item === null ? this.#carried(record) : this.#add({ kind: record.type, item });
    }
    if (record.kind === 'template') {
      const item = templateItem(record, { ...making, target });
      return item === null ? this.#carried(record) : this.#add({ kind: 'template', item });
    }
    if (record.kind === 'styles') {
      const item = stylesItem(record, { ...making, target });
      return item === null ? this.#carried(record) : this.#add({ kind: 'styles', item });
    }
    if (record.kind === 'revision') this.#carried(record);
  }

  /** What is kept as it was has to be what was read now. */
  #carried(record: SourceRecord): void {
    const key = keyOfRecord(record);
    const known = this.#parts.making.places.known(key);
    if (known === undefined) this.#differ(kindWord(record), key, 'missing', 'It was not imported.');
    else if (known.digest !== recordDigest(record))
      this.#differ(kindWord(record), key, 'changed', 'It was changed at the source since.');
    else this.#count(kindWord(record), 'unread');
  }

  async #add({
    kind,
    item,
    written = '',
    file = null,
  }: Partial<Waiting> & Pick<Waiting, 'kind' | 'item'>): Promise<void> {
    // It could not be imported, and was kept as it is.
    if (this.#parts.making.places.known(item.key)?.area === null) return this.#count(kind, 'unread');
    this.#waiting.push({ kind, item, written, file });
    if (this.#waiting.length === atOnce) await this.#settle();
  }

  /** Begins to compare what is gathered once that before it is done: meanwhile the source is read on. */
  async #settle(): Promise<void> {
    await this.#comparing;
    this.#comparing = this.#compare(this.#waiting);
    this.#waiting = [];
    // It is thrown where it is waited for.
    this.#comparing.catch(() => undefined);
  }

  async #compare(all: readonly Waiting[]): Promise<void> {
    const items = all.map(({ item }) => ({ area: item.area, id: item.id }));
    const found = (await this.#parts.ask('migration states', { items, shown: true })) as readonly (Standing | null)[];
    for (const [i, waiting] of all.entries()) {
      const faults = await this.#faults(waiting, found[i] ?? null);
      const { revisions = [] } = waiting.item;
      if (faults.length === 0 && revisions.length > 0) this.#count('revision', 'equal', revisions.length);
      if (faults.length === 0) this.#count(waiting.kind, 'equal');
      else
        this.#differ(
          waiting.kind,
          waiting.item.key,
          faults[0]?.code ?? '',
          faults.map(({ message }) => message).join(' '),
        );
    }
  }

  async #faults(
    { item, written, file }: Waiting,
    found: Standing | null,
  ): Promise<{ code: string; message: string }[]> {
    if (found === null || (item.id === 0 && !isOnly(item.area)))
      return [{ code: 'missing', message: 'It is not here.' }];
    const wanted = file === null ? item.state : { ...item.state, ...fileFields(found.state as Media) };
    const fields = differingFields(item.area, found.state, { ...found.state, ...wanted }).filter(
      (name) => name !== 'slug' || !this.#isRenamed(item, found.state),
    );
    const faults = fields.map((name) => ({
      code: 'differs',
      message: `Its ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} differs.`,
    }));
    const missing = (item.revisions ?? []).filter((one) => !isAmong(one, found.revisions ?? []));
    if (missing.length > 0)
      faults.push({ code: 'revisions', message: `${missing.length} of its revisions are not here or differ.` });
    const lost = found.shown === undefined ? '' : lostWord(written, found.shown);
    if (lost !== '')
      faults.push({ code: 'rendered', message: `Readers do not see the word “${lost}” where it was written.` });
    if (file !== null) faults.push(...(await this.#fileFaults(file, found.state as Media)));
    return faults;
  }

  /** Whether a slug has a number here, because something else of the source has the same. */
  #isRenamed({ key, state }: WantedItem, found: object): boolean {
    const [wanted, has] = [state, found].map((one) => String((one as { readonly slug?: unknown }).slug));
    // Without one it follows from the title.
    if (wanted === '') return true;
    if (wanted === undefined || !has?.startsWith(`${wanted}-`) || !/^\d+$/.test(has.slice(wanted.length + 1)))
      return false;
    this.renamed.push({
      key,
      code: 'renamed',
      message: `Its slug is ${has} here, because something else is called ${wanted}.`,
    });
    return true;
  }

  async #fileFaults({ file }: ItemRecord, { hash, bytes }: Media): Promise<{ code: string; message: string }[]> {
    if (file === null) return [];
    try {
      const there = await this.#parts.files.digest(file);
      if (there.hash === hash) return [];
      return [
        { code: 'file', message: `Its file has ${there.bytes} bytes at the source and ${bytes} here, or others.` },
      ];
    } catch (error) {
      if (!(error instanceof DownloadFailed) && !(error instanceof SourceFault)) throw error;
      return [{ code: 'file_not_fetched', message: `Its file could not be compared: ${error.message}` }];
    }
  }

  #count(kind: string, did: string, number = 1): void {
    const counts = this.counts[kind] ?? {};
    this.counts[kind] = counts;
    counts[did] = (counts[did] ?? 0) + number;
  }

  #differ(kind: string, key: string, code: string, message: string): void {
    this.#count(kind, 'differs');
    if (this.remarks.length < mostRemarks) this.remarks.push({ key, code, message });
  }
}

/** What only the store knows of a file; its bytes are compared by themselves. */
function fileFields({ folder, name }: Media): object {
  return { folder, name };
}

function isAmong(
  { author, savedGmt, title, content, excerpt, footnotes }: NonNullable<WantedItem['revisions']>[number],
  found: NonNullable<Standing['revisions']>,
): boolean {
  const wanted = Object.entries({ author, dateGmt: savedGmt, title, content, excerpt, footnotes });
  return found.some((one) => wanted.every(([name, value]) => one[name] === value));
}

/** Shorter ones, and numbers, become signs and pictures. */
const WORDS = /[\p{L}\p{M}]{3,}/gu;
/** What is no word that readers see: comments, scripts, shortcodes, smilies, addresses, which become what they lead to. */
const HIDDEN =
  /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>|\[[^\][]{1,2000}\]|:[a-z]{3,12}:|\b(?:https?:\/\/|www\.)[^\s<"']+/gi;

/** The first word of a text that was written and is not shown in its place; '': none. */
export function lostWord(written: string, shown: string): string {
  const [words, seen] = [wordsOf(written), wordsOf(shown)];
  let at = 0;
  for (const word of words) {
    const next = seen.indexOf(word, at);
    if (next < 0) return word;
    at = next + 1;
  }
  return '';
}

function wordsOf(text: string): readonly string[] {
  // Words of two elements are two words, whether or not there is a space between them.
  return plain(text.replace(HIDDEN, ' ').replaceAll('<', ' <')).normalize('NFC').match(WORDS) ?? [];
}
