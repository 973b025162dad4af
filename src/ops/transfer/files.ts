import { codec } from '#catalogue/events.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { copyKept } from '#media/copy.ts';
import type { ObjectStore } from '#objects/port.ts';
import { goneByErasure } from '../verify/files.ts';

/** Thrown when a file that an event names is missing. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

export interface CopyFiles {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  /** Receives faults of files. Default: throws `FileMissing`. */
  readonly onFault?: (message: string, position: number) => void;
}

/** Copies the files that events name from one store to another, skipping existing ones. */
export function fileCopier({ from, to, onFault = refuseFile }: CopyFiles) {
  let copied = 0;
  const isErased = goneByErasure();
  return {
    get copied() {
      return copied;
    },
    async take(events: readonly ChainedEvent[]): Promise<void> {
      for (const stored of events) {
        // Other events are not decoded, so that the log of a newer program can be copied, too.
        if (!codec.naming.has(stored.type)) continue;
        const named = codec.files(codec.decode(stored), stored.stream);
        if (named === null) continue;
        const mayBeGone = isErased(stored, named.of);
        for (const file of named.files) {
          const outcome = await copyKept(file, from, to);
          if (outcome === 'copied') copied += 1;
          if (outcome === 'differs')
            onFault(`the file ${file.hash} holds something else in ${from.address}`, stored.position);
          if (outcome !== 'missing' || mayBeGone) continue;
          onFault(`the file ${file.hash} is missing in ${from.address}`, stored.position);
        }
      }
    },
  };
}

function refuseFile(message: string): never {
  throw new FileMissing(message);
}
