import { z } from 'zod';
import { parseNote } from '#tlog/note.ts';

/** A signed note, and when it was made (UTC, ISO 8601). */
export const keptNote = z.object({ at: z.iso.datetime(), note: z.string().refine(holds(parseNote), 'it is no note') });

export type KeptNote = z.infer<typeof keptNote>;

/** Whether a function takes a text without an exception. */
export function holds(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };
}
