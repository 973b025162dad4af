import { statfs } from 'node:fs/promises';
import { asLogFault, messageOf } from '#eventstore/faults.ts';
import { LogUnavailable, OutcomeUnknown, OutOfSequence } from '#eventstore/port.ts';
import { regularly } from '#process/guard.ts';
import type { Readiness } from './readiness.ts';

export interface WriteCheckParts {
  readonly readiness: Readiness;
  readonly probe: () => Promise<unknown>;
  /** Throws when the log is not where it was. */
  readonly checkPlace: () => void;
  readonly folder: string;
}

/** Milliseconds between two attempts while nothing can be stored, and between two checks of free space. */
const interval = 1000;
/** With fewer bytes free, a write is attempted even without a request. */
const little = 4 * 1024 * 1024;

/**
 * Detects whether changes can be stored: from failing writes and, after a failure, when space is scarce or when the log is not where it was,
 * by attempting one.
 */
export class WriteCheck {
  readonly #parts: WriteCheckParts;
  #failing = false;

  constructor(parts: WriteCheckParts) {
    this.#parts = parts;
  }

  failed(error: unknown): void {
    const fault = asLogFault(error, 0);
    if (!(fault instanceof LogUnavailable || fault instanceof OutcomeUnknown)) return;
    // The log is writable; the projections this was decided on are damaged, which is reported separately.
    if (rootOf(error) instanceof OutOfSequence) return;
    this.#failing = true;
    this.#parts.readiness.hold('store_unwritable', `no change can be stored: ${messageOf(rootOf(error))}`);
  }

  /** Returns a function that ends it. */
  start(): () => void {
    const look = async () => {
      if (this.#failing || this.#isGone() || (await this.#isScarce())) await this.#try();
    };
    return regularly(look, { pause: interval }, (error) => this.failed(error));
  }

  async #try(): Promise<void> {
    try {
      await this.#parts.probe();
      this.#failing = false;
      this.#parts.readiness.release('store_unwritable');
    } catch (error) {
      this.failed(error);
    }
  }

  #isGone(): boolean {
    try {
      this.#parts.checkPlace();
      return false;
    } catch {
      return true;
    }
  }

  async #isScarce(): Promise<boolean> {
    const disk = await statfs(this.#parts.folder).catch(() => null);
    return disk !== null && disk.bavail * disk.bsize < little;
  }
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}
