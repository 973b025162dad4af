import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { codec } from '#catalogue/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { fileKeyOf } from '#media/files.ts';
import { ObjectMissing, type ObjectStore } from '#objects/port.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** Whether a text is the hash of a file. Foreign data could contain any path. */
function isFileHash(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

/**
 * Returns a predicate: whether an event's files may be missing because their item was erased, as its texts are. Pass all events in order.
 */
export function goneByErasure() {
  const erased = new Map<string, boolean>();
  return ({ type, sealed }: Pick<ChainedEvent, 'type' | 'sealed'>, of: string): boolean => {
    if (type === 'MediaUploaded') erased.set(of, sealed === null);
    // Unknown for an item whose first event was not passed.
    return erased.get(of) ?? true;
  };
}

export function checkFiles(store: Pick<ObjectStore, 'read'>): {
  take(event: DomainEvent, stored: ChainedEvent): Promise<void>;
  end(): Check;
} {
  const findings = findingsOf('files');
  const known = new Set<string>();
  const isErased = goneByErasure();
  let bytes = 0;
  return {
    async take(event, stored) {
      const named = codec.files(event, stored.stream);
      if (named === null) return;
      const mayBeGone = isErased(stored, named.of);
      for (const file of named.files) {
        if (known.has(file.hash)) continue;
        if (!isFileHash(file.hash)) {
          findings.add('A file is named that cannot be', stored.position);
          continue;
        }
        known.add(file.hash);
        bytes += file.bytes;
        const hash = await hashOfFile(store, file.hash);
        if (hash === null && !mayBeGone) findings.add(`The file ${file.hash} is missing`, stored.position);
        else if (hash !== null && hash !== file.hash) {
          findings.add(`The file ${file.hash} holds something else`, stored.position);
        }
      }
    },
    end: () => findings.end(`${counted(known.size, 'files')}, ${counted(bytes, 'bytes')}`),
  };
}

/** SHA-256 (hex) of the file stored under a hash; null if there is none. */
async function hashOfFile(store: Pick<ObjectStore, 'read'>, kept: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(await store.read(fileKeyOf(kept)), hash);
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
  return hash.digest('hex');
}
