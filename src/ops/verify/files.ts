import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { DomainEvent } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { isMissing } from '#media/disk.ts';
import { keptPath } from '#media/files.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** A file as an event names it. */
export interface NamedFile {
  readonly hash: string;
  readonly bytes: number;
}

/** Whether a text can be the hash of a file. What comes from elsewhere could be a path to anything. */
export function isFileHash(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

/** The files that an event names. */
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

/** Checks that the files are there that events name, and are what they were. */
export function checkFiles(folder: string): {
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
        const hash = await hashOfFile(keptPath(folder, file.hash));
        if (hash === null && !mayBeGone) findings.add(`The file ${file.hash} is missing`, stored.position);
        else if (hash !== null && hash !== file.hash) {
          findings.add(`The file ${file.hash} holds something else`, stored.position);
        }
      }
    },
    end: () => findings.end(`${counted(known.size, 'files')}, ${counted(bytes, 'bytes')}`),
  };
}

/** SHA-256 (hex) of what a file holds; null when there is none. */
export async function hashOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return hash.digest('hex');
}
