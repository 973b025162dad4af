import { codec } from '#domain/events.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { copyKept } from '#media/copy.ts';
import { filesOf } from '../verify/files.ts';

/** A file that an event names is not where it should be. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

export interface CopyFiles {
  /** Folders of files by their hash. */
  readonly from: string;
  readonly to: string;
  /** Gets what is wrong with a file. Default: throws `FileMissing`. */
  readonly onFault?: (message: string, position: number) => void;
}

/** Copies the files that events name from one folder to another; those that are there already stay. */
export function fileCopier({ from, to, onFault = refuseFile }: CopyFiles) {
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
          if (outcome === 'differs') onFault(`the file ${file.hash} holds something else in ${from}`, stored.position);
          // The file of an item that was erased may be gone as its texts are.
          if (outcome !== 'missing' || stored.sealed === null) continue;
          onFault(`the file ${file.hash} is missing in ${from}`, stored.position);
        }
      }
    },
  };
}

function refuseFile(message: string): never {
  throw new FileMissing(message);
}
