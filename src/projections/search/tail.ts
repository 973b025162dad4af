import { foldText } from '#text/fold.ts';
import type { EntryTexts } from '../collection/types.ts';
import type { Place, ReadyTexts, TextsOf } from './types.ts';

// Characters of folded texts that are kept, so that a search need not fold them again.
const keptCharacters = 16_000_000;

/** A folded term that an entry must have, or must not. */
export interface WantedTerm {
  readonly term: string;
  readonly wanted: boolean;
}

/** Entries whose texts are in no segment yet, with their folded texts. */
export class Tail {
  readonly #textsOf: TextsOf;
  readonly #ready: ReadyTexts | undefined;
  readonly #entries = new Map<number, EntryTexts | null>();
  #kept = 0;

  constructor(textsOf: TextsOf, ready?: ReadyTexts) {
    this.#textsOf = textsOf;
    this.#ready = ready;
  }

  get size(): number {
    return this.#entries.size;
  }

  get ords(): number[] {
    return [...this.#entries.keys()].sort((a, b) => a - b);
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#entries.keys();
  }

  /** Takes in an entry, or forgets the texts it had. */
  put(ord: number): void {
    this.delete(ord);
    this.#entries.set(ord, null);
  }

  delete(ord: number): void {
    const texts = this.#entries.get(ord);
    if (texts) this.#kept -= sizeOf(texts);
    this.#entries.delete(ord);
  }

  /** Whether any entry has a folded term. */
  holds(ord: number, term: string, place: Place): boolean {
    // Texts of the tail are kept: only of others is it worth asking first.
    if (!this.#isKept(ord) && this.#ready?.lacks(ord, term)) return false;
    const texts = this.folded(ord);
    return texts !== undefined && hasTerm(texts, term, place);
  }

  /** Whether an entry has all of some folded terms that are wanted, and none of the others. Its texts are read once. */
  agrees(ord: number, terms: readonly WantedTerm[], place: Place): boolean {
    const isKept = this.#isKept(ord);
    const open: WantedTerm[] = [];
    for (const one of terms) {
      if (isKept || !this.#ready?.lacks(ord, one.term)) open.push(one);
      else if (one.wanted) return false;
    }
    if (open.length === 0) return true;
    const texts = this.folded(ord);
    return open.every(({ term, wanted }) => (texts !== undefined && hasTerm(texts, term, place)) === wanted);
  }

  /** Folded texts of any entry. Those of the tail are kept. */
  folded(ord: number): EntryTexts | undefined {
    const known = this.#entries.get(ord);
    if (known) return known;
    const folded = this.#ready?.texts(ord) ?? foldTexts(this.#textsOf(ord));
    if (folded === undefined) return undefined;
    if (known === null && this.#hasRoom) {
      this.#entries.set(ord, folded);
      this.#kept += sizeOf(folded);
    }
    return folded;
  }

  /** Whether the texts are in memory, or will be after they are read. */
  #isKept(ord: number): boolean {
    const known = this.#entries.get(ord);
    return known === null ? this.#hasRoom : known !== undefined;
  }

  get #hasRoom(): boolean {
    return this.#kept < keptCharacters;
  }
}

function foldTexts(texts: EntryTexts | undefined): EntryTexts | undefined {
  if (texts === undefined) return undefined;
  const { title, content, excerpt } = texts;
  return { title: foldText(title), content: foldText(content), excerpt: foldText(excerpt) };
}

/** Whether folded texts have a folded term. */
function hasTerm(texts: EntryTexts, term: string, { columns, exact }: Place): boolean {
  return columns.some((column) => (exact ? texts[column] === term : texts[column].includes(term)));
}

function sizeOf({ title, content, excerpt }: EntryTexts): number {
  return title.length + content.length + excerpt.length;
}
