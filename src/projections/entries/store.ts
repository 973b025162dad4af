import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { allTerms, type Classified, noTerms } from '#domain/entry/classification.ts';
import { afterTermLoss } from '#domain/entry/state.ts';
import type { EntryFacets, EntryTexts } from '../kernel/collection-query.ts';
import { Endings, LastEnding } from '../kernel/endings.ts';
import { remember } from '../kernel/remember.ts';
import { checkSum } from '../kernel/sums.ts';
import { standingOf } from '../kernel/versions.ts';
import { fromTerms, type SqlValue, toIds } from './columns.ts';
import { DeletionTable, lastLoss, wentWithAuthor } from './deletion-table.ts';
import { FacetRows, preparing } from './facet-rows.ts';
import { facetsOf } from './facets.ts';
import { Slugs } from './names.ts';
import { type RecentRows, recentRowsOf } from './recent-rows.ts';
import { Authored, Below, Featuring } from './references.ts';
import { render } from './render.ts';
import type { EntryRow, Texts, WrittenRow } from './row.ts';
import { distinctCategories, type PublishedGroup } from './tally.ts';
import { writtenInLog } from './texts-in-log.ts';
import { entryColumns, fromValues, rowOf, textsSum } from './values.ts';

const columns = entryColumns.join(', ');
const noTexts: Texts = { content: '', excerpt: '' };
const nothingElse = { tags: [], otherTerms: noTerms } as const;

export class EntryTable {
  readonly #row: StatementSync;
  readonly #written: StatementSync;
  readonly #length: StatementSync;
  readonly facets: FacetRows;
  readonly #writtenAfter: StatementSync;
  readonly #idsAfter: StatementSync;
  readonly #lostAfter: StatementSync;
  readonly #changedAfter: StatementSync;
  readonly below: Below;
  readonly #due: StatementSync;
  readonly #nextDue: StatementSync;
  readonly #having: StatementSync;
  readonly #categorised: StatementSync;
  readonly featuring: Featuring;
  readonly #templated: StatementSync;
  readonly #leading: StatementSync;
  readonly #inMenu: StatementSync;
  readonly #navigation: StatementSync;
  readonly losses: DeletionTable;
  readonly #authored: Authored;
  readonly slugs: Slugs;
  /** Where entries left the places that they had. */
  readonly left: Endings;
  /** Where public posts were last changed or taken away. */
  readonly shown: LastEnding;
  readonly #recent: RecentRows;
  readonly #losers = new Map<number, readonly number[]>();

  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const prepare = preparing(db);
    this.losses = new DeletionTable(db);
    this.slugs = new Slugs(db);
    this.shown = new LastEnding(db, 'entries', "kind = 'post' AND status = 'publish'");
    this.left = new Endings(db, 'entries', { by: 'slug', with: ['parent', 'status'] });
    this.#recent = recentRowsOf(db);
    this.#row = prepare(`SELECT ${columns}, ${lastLoss} FROM entries WHERE id = ?`);
    this.#written = prepare(
      'SELECT content, excerpt, title_at, content_at, excerpt_at, footnotes_at, sum FROM texts WHERE id = ?',
    );
    this.#length = prepare('SELECT octet_length(content) FROM texts WHERE id = ?');
    this.facets = new FacetRows(db, this.losses);
    this.#writtenAfter = prepare('SELECT id FROM entries WHERE since > ?');
    this.#idsAfter = prepare('SELECT id FROM entries WHERE id > ? ORDER BY id LIMIT ?');
    this.#lostAfter = prepare('SELECT id FROM lost_entries WHERE position > ?');
    this.#changedAfter = prepare(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM entries WHERE since > ?1 LIMIT ?2))
         + (SELECT count(*) FROM (SELECT 1 FROM lost_entries WHERE position > ?1 LIMIT ?2))`,
    );
    this.below = new Below(db);
    const scheduled = `SELECT id, date_gmt FROM entries WHERE status = 'future' AND NOT ${wentWithAuthor}`;
    this.#due = prepare(`${scheduled} AND date_gmt <= ? ORDER BY date_gmt, id`);
    this.#nextDue = prepare(`${scheduled} ORDER BY date_gmt LIMIT 1`);
    this.featuring = new Featuring(db);
    this.#templated = prepare("SELECT id FROM entries WHERE template = ? AND template <> '' ORDER BY id");
    this.#leading = prepare(
      `SELECT id FROM entries WHERE kind || '' = 'nav_menu_item' AND json_extract(part, '$.type') = ?
         AND json_extract(part, '$.objectId') = ? ORDER BY id`,
    );
    this.#inMenu = prepare("SELECT id FROM entries WHERE kind || '' = 'nav_menu_item' AND other_terms = ? ORDER BY id");
    this.#navigation = prepare("SELECT 1 FROM entries WHERE kind || '' = 'wp_navigation' LIMIT 1");
    this.#categorised = prepare(distinctCategories);
    this.#authored = new Authored(db);
    this.#having = prepare(
      `SELECT id FROM entries WHERE instr(',' || categories || ',', ?1) OR instr(',' || tags || ',', ?1)
         OR instr(',' || replace(other_terms, ';', ',') || ',', ?1) ORDER BY id`,
    );
  }

  row(id: number): EntryRow | undefined {
    const recent = this.#recent.row(id);
    if (recent !== undefined) return this.losses.current(rowOf(recent), this.losses.last());
    const values = this.#row.get(id) as unknown as SqlValue[] | undefined;
    if (values === undefined) return undefined;
    const row = fromValues(values);
    this.#recent.keepRow(id, values, row.contentJson.length);
    return this.losses.current(row, values.at(-1) as number);
  }

  /** `row` with texts rendered if they are not yet. */
  rendered(id: number): EntryRow | undefined {
    const row = this.row(id);
    return row?.titleJson === '' ? { ...row, ...render({ ...row, ...(this.texts(id) ?? noTexts) }) } : row;
  }

  texts(id: number): Texts | undefined {
    return this.written(id)?.texts;
  }

  written(id: number): WrittenRow | undefined {
    const known = this.#recent.written(id);
    if (known !== undefined) return known;
    const values = this.#written.get(id) as unknown as WrittenValues | undefined;
    const standing = standingOf(this.#db);
    if (standing !== undefined && !isWrittenBy(standing.position, values)) return writtenInLog(id, standing);
    if (values === undefined) return undefined;
    const [content, excerpt, ...at] = values;
    const places = { title: at[0], content: at[1], excerpt: at[2], footnotes: at[3] };
    const written = { texts: { content, excerpt }, places };
    checkSum(at[4], textsSum(id, written), 'texts', id);
    this.#recent.keepWritten(id, written);
    return written;
  }

  /** Bytes of a content as written, without reading it. */
  textLength(id: number): number {
    const [length = 0] = (this.#length.get(id) ?? []) as unknown as readonly number[];
    return length;
  }

  searched(id: number): EntryTexts | undefined {
    const [texts, facets] = [this.texts(id), this.facetsOf(id)];
    return texts && facets && { title: facets.title, content: texts.content, excerpt: texts.excerpt };
  }

  /** The data of an entry for collections. */
  facetsOf(id: number): EntryFacets | undefined {
    const row = this.#recent.row(id) && this.row(id);
    return row === undefined ? this.facets.of(id) : facetsOf(row);
  }

  /** The data for collections of up to `limit` entries after one, by ord. */
  facetsAfter(ord: number, limit: number): EntryFacets[] {
    return this.facets.after(ord, limit);
  }

  /** Whether there is a navigation of any status. */
  hasNavigation(): boolean {
    return this.#navigation.get() !== undefined;
  }

  /** Scheduled entries whose time (UTC) has come, in that order. */
  due(gmt: string): number[] {
    return ids(this.#due.all(gmt));
  }

  /** When the next scheduled entry is due, UTC; null for none. */
  nextDue(): string | null {
    const found = this.#nextDue.get() as unknown as [number, string] | undefined;
    return found?.[1] ?? null;
  }

  publishedIn(category: number): number {
    const lost = this.#lostTerms();
    const went = this.#authored.wentFrom();
    let sum = 0;
    for (const [list, published] of this.#categorised.all() as unknown as [string, number][]) {
      const { categories } = lost({ categories: toIds(list), ...nothingElse });
      if (categories.length === 1 && categories[0] === category) sum += published - (went.get(list) ?? 0);
    }
    return sum;
  }

  /** Published entries of a user deleted by the last event, including inherited ones. */
  publishedBy(author: number): readonly PublishedGroup[] {
    const lost = this.#lostTerms();
    return this.#authored.publishedBy(author).map((group) => ({ ...group, ...lost(group) }));
  }

  templated(template: string): number[] {
    return ids(this.#templated.all(template));
  }

  /** Menu items that link to an item. */
  itemsLeadingTo(type: 'post_type' | 'taxonomy', id: number): number[] {
    return ids(this.#leading.all(type, id));
  }

  /** Items of a menu. */
  itemsIn(menu: number): number[] {
    return ids(this.#inMenu.all(fromTerms({ nav_menu: [menu] })));
  }

  writtenAfter(position: number): number[] {
    return ids(this.#writtenAfter.all(position));
  }

  /**
   * `writtenAfter`, plus entries that have since lost a term, an image, their author or parent, or whose image may have become visible to
   * others; perhaps more.
   */
  touchedAfter(position: number): number[] {
    const lost = this.#lostBy(position).flat();
    return [...new Set([...this.writtenAfter(position), ...lost, ...this.featuring.touchedAfter(position)])];
  }

  idsAfter(id: number, limit: number): number[] {
    return ids(this.#idsAfter.all(id, limit));
  }

  /** Entries that have lost a term, an image, their author or parent since; perhaps more. */
  losingAfter(position: number): number[] {
    return this.#lostBy(position).flat();
  }

  lostAfter(position: number): number[] {
    return ids(this.#lostAfter.all(position));
  }

  /** Number of entries affected by events after a position; counting stops somewhere beyond `limit`. */
  changedAfter(position: number, limit: number): number {
    const [count] = this.#changedAfter.get(position, limit + 1) as unknown as [number];
    const pictured = this.featuring.touchedAfter(position).length;
    return this.#lostBy(position).reduce((sum, losers) => sum + losers.length, count + pictured);
  }

  published(id: number): readonly number[] {
    const facets = this.facetsOf(id);
    return facets?.status === 'publish' ? facets.terms : [];
  }

  #lostBy(position: number): (readonly number[])[] {
    const byTerm = this.losses.termsAfter(position).map(({ data: { id } }) => this.losersOf(id));
    const byImage = this.losses.imagesAfter(position).map((image) => this.featuring.of(image));
    const byAuthor = this.losses
      .authorsAfter(position)
      .flatMap((author) => [this.#authored.by(author), this.featuring.attachedToThoseOf(author)]);
    return [...byTerm, ...byImage, ...byAuthor, this.below.passedAfter(position)];
  }

  /** Entries that had a deleted term; perhaps more. */
  losersOf(term: number): readonly number[] {
    return remember(this.#losers, term, () => this.#formerOf(term).flatMap((one) => this.having(one)));
  }

  /** Entries of a user, also of a deleted one and of those whose entries that one inherited. */
  writtenBy(user: number): readonly number[] {
    return this.#authored.by(user);
  }

  #lostTerms(): (stored: Classified) => Classified {
    // Entries name a term that has come back because they got it again.
    const lost = this.losses.termsAfter(0).filter(({ data: { id } }) => !this.losses.isBack(id));
    const gone = new Set(lost.map(({ data: { id } }) => id));
    return (stored) =>
      allTerms(stored).some((id) => gone.has(id))
        ? lost.reduce((terms, { data }) => afterTermLoss(terms, data), stored)
        : stored;
  }

  /** A term, and the deleted ones whose posts have passed to it, directly or through others: rows still name these. */
  #formerOf(term: number): readonly number[] {
    const heirs = this.losses.termsAfter(0).filter(({ data }) => data.heir === term);
    return [term, ...heirs.flatMap(({ data: { id } }) => this.#formerOf(id))];
  }

  /** Entries whose rows name a term. */
  having(term: number): readonly number[] {
    return ids(this.#having.all(`,${term},`));
  }
}

/** Whether the texts of a row were written up to a position, and are those of then. */
function isWrittenBy(position: number, values: WrittenValues | undefined): boolean {
  return values !== undefined && Math.max(...values.slice(2, 6).map(Number)) <= position;
}

type WrittenValues = readonly [string, string, number, number, number, number, number];

function ids(rows: unknown[]): number[] {
  return (rows as [number][]).map(([id]) => id);
}
