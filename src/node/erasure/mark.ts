import { z } from 'zod';
import type { EventStore } from '#eventstore/port.ts';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { Order } from './coverage.ts';

/** Raised when orders reach more than they did before: what was swept by the rules before is swept once more. */
const rules = 2;
const mark = z.object({ position: z.int().min(1), id: z.string(), rules: z.literal(rules) });

/**
 * Up to which order a data directory has been swept, in a file of its own: copies of the log in other directories have to
 * be swept themselves. Without the file all orders are carried out once more, which changes nothing but takes a rebuild.
 */
export function openMark(path: string, log: Pick<EventStore, 'read'>) {
  return {
    /** Position of the last order that was carried out here; 0 for none. */
    read(): number {
      const { data } = mark.safeParse(readJsonFile(path));
      const [event] = data === undefined ? [] : log.read({ from: data.position, limit: 1 });
      return data !== undefined && event?.id === data.id ? data.position : 0;
    },
    write({ position, id }: Order): void {
      writeJsonFile(path, { position, id, rules });
    },
  };
}
