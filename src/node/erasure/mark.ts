import { z } from 'zod';
import type { EventStore } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { readChecked, writeChecked } from '../checked-file.ts';
import type { ErasureOrder } from './coverage.ts';

/** Raised when orders reach more than before: everything is then swept again. */
const rules = 2;
const mark = z.object({ position: z.int().min(1), id: z.string(), rules: z.literal(rules) });

export interface Mark {
  /** Position of the last order carried out here; 0 for none. */
  read(): number;
  /** Records that all orders up to this one have been carried out. A failure to write the file is reported once. */
  write(order: ErasureOrder): void;
  settle(): void;
}

export interface MarkOptions {
  readonly log: Pick<EventStore, 'read'>;
  readonly reporter: Reporter;
}

/**
 * Records up to which order a data directory has been swept. The file is outside the log, because each copy of a log has to be swept
 * separately. Without the file all orders are carried out again, which is harmless but takes a rebuild.
 */
export function openMark(path: string, { log, reporter }: MarkOptions): Mark {
  let unwritten: ErasureOrder | null = null;
  let warned = false;

  function settle(): void {
    if (unwritten === null) return;
    const { position, id } = unwritten;
    try {
      writeChecked(path, { position, id, rules });
      unwritten = null;
      warned = false;
    } catch (error) {
      const message = `${path} cannot be written, so the next start carries the erasures out once more: ${messageOf(error)}`;
      if (!warned) reporter.warning(message);
      warned = true;
    }
  }

  return {
    read() {
      const { content } = readChecked(path, mark);
      const [event] = content === null ? [] : log.read({ from: content.position, limit: 1 });
      return content !== null && event?.id === content.id ? content.position : 0;
    },
    write(order) {
      unwritten = order;
      settle();
    },
    settle,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
