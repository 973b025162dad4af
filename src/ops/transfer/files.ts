import { codec } from '#domain/events.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { copyKept } from '#media/copy.ts';
import { filesOf } from '../verify/files.ts';

/** A file that an event names is not where it should be. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Copies the files that events name from one folder to another. Throws `FileMissing`. */
export function fileCopier(from: string, to: string) {
  let copied = 0;
  return {
    get copied() {
      return copied;
    },
    async take(events: readonly ChainedEvent[]): Promise<void> {
      for (const stored of events) {
        // Other events are not decoded: a log of a newer program can be copied, too.
        if (stored.type !== 'MediaUploaded') continue;
        for (const file of filesOf(codec.decode(stored))) {
          const outcome = await copyKept(file, from, to);
          if (outcome === 'copied') copied += 1;
          const isErased = outcome === 'missing' && stored.sealed === null;
          if (outcome === 'there' || outcome === 'copied' || isErased) continue;
          const what = outcome === 'missing' ? 'is missing' : 'holds something else';
          throw new FileMissing(`the file ${file.hash} of position ${stored.position} ${what} in ${from}`);
        }
      }
    },
  };
}
