import { diffArrays } from 'diff';
import { asRead } from '#blocks/as-read.ts';

/** A version of a text, in the order in which they were written. */
export interface TextVersion<W> {
  readonly text: string;
  /** Whoever wrote it, and when. */
  readonly by: W;
}

export interface Blamed<W> {
  readonly text: string;
  /** Number of the paragraph, from 1. */
  readonly paragraph: number;
  readonly by: W;
}

/** Sentences shorter than this are not recognised when they come back: they might be another's. */
const recognisable = 12;
/** Limits the time of a comparison by work; see `differences`. */
const limits = { maxEditLength: 2000 };

/**
 * Finds who wrote each sentence of the last version. One that was changed is its changer's; one that was moved, or deleted and brought
 * back, stays its first writer's. Takes versions one after the other, so that the caller can pause between them.
 */
export class Blaming<W> {
  readonly #sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
  readonly #first = new Map<string, W>();
  #tokens: readonly string[] = [];
  #owners: readonly W[] = [];

  take({ text, by }: TextVersion<W>): void {
    const tokens = tokensIn(asRead(text), this.#sentences);
    const owners: W[] = [];
    let old = 0;
    const found = diffArrays([...this.#tokens], [...tokens], limits);
    for (const { value, added, removed } of found ?? [{ value: [...tokens], added: true, removed: false }]) {
      if (removed) old += value.length;
      else if (added) for (const token of value) owners.push(this.#first.get(token) ?? by);
      else for (const _ of value) owners.push(this.#owners[old++] ?? by);
    }
    for (const [i, token] of tokens.entries()) {
      if (token.length >= recognisable && !this.#first.has(token)) this.#first.set(token, owners[i] ?? by);
    }
    this.#tokens = tokens;
    this.#owners = owners;
  }

  sentences(): readonly Blamed<W>[] {
    let paragraph = 1;
    return this.#tokens.flatMap((token, i) => {
      if (token === end) paragraph += 1;
      return token === end ? [] : [{ text: token.trim(), paragraph, by: this.#owners[i] as W }];
    });
  }
}

const end = '\n';

/** The sentences of a text, with a token between two paragraphs. */
function tokensIn(text: string, sentences: Intl.Segmenter): readonly string[] {
  return text.split('\n').flatMap((line, i) => {
    const own = [...sentences.segment(line)].map(({ segment }) => segment.trim()).filter((segment) => segment !== '');
    return i === 0 ? own : [end, ...own];
  });
}
