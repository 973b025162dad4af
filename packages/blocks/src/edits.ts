import { Output } from './output.ts';

/** Replaces parts of a text, in ascending order. The text is not copied if nothing is replaced. */
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
