import { Output } from './output.ts';

/** A text with parts of it replaced, in ascending order. A text in which nothing is replaced is not copied. */
export class Edits {
  readonly #text: string;
  #output: Output | null = null;
  #done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): number {
    return this.#done;
  }

  replace(start: number, end: number, replacement: string): void {
    this.#output ??= new Output();
    this.#output.add(this.#text, this.#done, start);
    this.#output.add(replacement);
    this.#done = end;
  }

  finish(): string {
    if (this.#output === null) return this.#text;
    this.#output.add(this.#text, this.#done);
    return this.#output.finish();
  }
}
