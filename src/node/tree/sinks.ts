import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from '#process/reporter.ts';
import { parseCheckpoint } from '#transparency/checkpoint.ts';
import { parseNote } from '#transparency/note.ts';
import { postTo } from './asking.ts';
import { CHECKPOINT_FILE, type KeptCheckpoint } from './checkpoints.ts';

/** Copies checkpoints to places that somebody else keeps. One that could not be copied is made up for by the next. */
export class CheckpointSinks {
  readonly #places: readonly string[];
  readonly #reporter: Pick<Reporter, 'warning'>;
  /** The note that each place has, and those that failed the last time, which was reported. */
  readonly #sent = new Map<string, string>();
  readonly #failing = new Set<string>();

  /** `places`: folders, and addresses that take a note by POST. */
  constructor(places: readonly string[], reporter: Pick<Reporter, 'warning'>) {
    this.#places = places;
    this.#reporter = reporter;
  }

  async send({ note }: KeptCheckpoint): Promise<void> {
    await Promise.all(
      this.#places.filter((place) => this.#sent.get(place) !== note).map((place) => this.#sendTo(place, note)),
    );
  }

  async #sendTo(place: string, note: string): Promise<void> {
    try {
      if (/^https?:\/\//.test(place)) await postTo(place, note);
      else writeInto(place, note);
      this.#sent.set(place, note);
      this.#failing.delete(place);
    } catch (error) {
      const why = (error as Error).message;
      if (!this.#failing.has(place)) this.#reporter.warning(`a checkpoint could not be copied to ${place}: ${why}`);
      this.#failing.add(place);
    }
  }
}

/** The file has the size of the log as its name, so that a folder of them shows how it grew. */
function writeInto(folder: string, note: string): void {
  const { size } = parseCheckpoint(parseNote(note).text);
  const path = join(folder, String(size).padStart(12, '0') + CHECKPOINT_FILE);
  writeFileSync(`${path}.new`, note, { flush: true });
  renameSync(`${path}.new`, path);
}
