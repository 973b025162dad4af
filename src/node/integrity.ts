import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { breakSeal } from '#projections/kernel/seal.ts';
import { checkFileBelonging } from '#projections/projector/belonging.ts';
import { removeProjections } from '#projections/projector/database.ts';
import type { FileDamaged } from './checked-file.ts';
import type { Readiness } from './readiness.ts';

/** What can be damaged: rows of tables, ready answers, uploaded files. */
export type KeptKind = 'rows' | 'answers' | 'files';

interface Warning {
  readonly code: 'files_damaged' | 'files_unreachable' | 'data_file_damaged';
  readonly message: string;
}

export class Integrity {
  readonly found: Record<KeptKind, number> = { rows: 0, answers: 0, files: 0 };
  readonly #files = new Set<string>();
  /** Faults of files of the data directory, by what has found them. */
  readonly #kept = { files: new Map<string, string>(), signing: new Map<string, string>() };
  #reach: { readonly fault: string | null } = { fault: null };
  readonly #readiness: Pick<Readiness, 'hold' | 'release'>;
  readonly #reporter: Reporter;

  constructor(readiness: Pick<Readiness, 'hold' | 'release'>, reporter: Reporter) {
    this.#readiness = readiness;
    this.#reporter = reporter;
  }

  note(kept: KeptKind, message: string): void {
    this.found[kept] += 1;
    this.#reporter.warning(message);
  }

  noteFile(hash: string, isDamaged: boolean): void {
    if (isDamaged) this.#files.add(hash);
    else this.#files.delete(hash);
    if (isDamaged)
      this.note('files', `the uploaded file ${hash} is damaged or missing: it is not sent until it is restored`);
    else this.#reporter.warning(`the uploaded file ${hash} is whole again`);
  }

  /** Notes what is wrong with files that cannot be made again; each is reported once. */
  noteKept(by: 'files' | 'signing', faults: readonly FileDamaged[]): void {
    const before = this.#keptFaults();
    this.#kept[by] = new Map(faults.map(({ path, shown }) => [path, shown]));
    for (const { path, shown, message } of faults) if (before.get(path) !== shown) this.#reporter.warning(message);
  }

  /** Warns while the store of uploaded files cannot be reached. */
  watchFiles(reach: { readonly fault: string | null }): void {
    this.#reach = reach;
  }

  get warnings(): readonly Warning[] {
    const count = this.#files.size;
    const damaged = `${count} uploaded ${count === 1 ? 'file is' : 'files are'} damaged or missing and not sent; the log names them`;
    const { fault } = this.#reach;
    return [
      ...(count === 0 ? [] : [{ code: 'files_damaged' as const, message: damaged }]),
      ...(fault === null ? [] : [{ code: 'files_unreachable' as const, message: fault }]),
      ...[...this.#keptFaults().values()].map((message) => ({ code: 'data_file_damaged' as const, message })),
    ];
  }

  #keptFaults(): ReadonlyMap<string, string> {
    return new Map([...this.#kept.signing, ...this.#kept.files]);
  }

  /** Records damaged ready answers, until `mended` is called when all have been rebuilt. */
  noteAnswer(message: string): void {
    this.note('answers', message);
    this.#readiness.hold('answers_damaged');
  }

  mended(): void {
    this.#readiness.release('answers_damaged');
  }
}

/** Removes projections that differ from what the last node left. Throws `LogDamaged` when they belong to another log. */
export function removeDamaged(path: string, { log, integrity }: { log: EventStore; integrity: Integrity }): void {
  if (breakSeal(path)) return;
  checkFileBelonging(log, path);
  const why = 'their file is not what was left';
  integrity.note('rows', `the projections are damaged and are made again from the log: ${why}`);
  removeProjections(path);
}
