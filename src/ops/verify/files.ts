import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { keyOf } from '#media/files.ts';
import { ObjectMissing, type ObjectStore } from '#objects/port.ts';
import { type Check, counted, findingsOf } from './check.ts';

export interface NamedFile {
  readonly hash: string;
  readonly bytes: number;
}

/** Whether a text can be the hash of a file. What comes from elsewhere could be a path to anything. */
export function isFileHash(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

export function filesOf(event: DomainEvent): readonly NamedFile[] {
  const known = event as MediaEvent;
  if (known.type === 'MediaSizesMade') return known.data.sizes;
  if (known.type !== 'MediaUploaded') return [];
  const { hash, bytes, shown, sizes } = known.data;
  return [{ hash, bytes }, ...(shown === null ? [] : [shown]), ...sizes];
}

/** Tells whether a file may be gone because its item was erased, as its texts are. Events are to be told of in their order. */
export function goneByErasure(): (stored: Pick<ChainedEvent, 'stream' | 'type' | 'sealed'>) => boolean {
  const erased = new Map<string, boolean>();
  return ({ stream, type, sealed }) => {
    if (type === 'MediaUploaded') erased.set(stream, sealed === null);
    // Of an item whose beginning was not seen, nobody knows.
    return erased.get(stream) ?? true;
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
      const files = filesOf(event);
      if (files.length === 0) return;
      const mayBeGone = isErased(stored);
      for (const file of files) {
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

/** SHA-256 (hex) of what is kept under a hash; null when nothing is. */
export async function hashOfFile(store: Pick<ObjectStore, 'read'>, kept: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(await store.read(keyOf(kept)), hash);
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
  return hash.digest('hex');
}
