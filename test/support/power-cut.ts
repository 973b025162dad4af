import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headPathOf } from '#eventstore/head-file.ts';
import type { Disks } from '#eventstore/write-ahead.ts';
import { temporaryDirectory } from './temporary.ts';

/** A SQLite file on a simulated disk whose synced contents are known. */
export interface Cuttable {
  readonly disks: Disks & { close(): void };
  /** Called before each sync. */
  readonly atSync: ((of: 'file' | 'wal') => void)[];
  /** Must be called after each commit: if the commit restarts the write-ahead log, SQLite syncs its header first. */
  committed(): void;
  /**
   * Copies the file as a power cut may leave it: of each sector written since the last sync the new or the old one,
   * and one of the two lengths, by `chance`.
   */
  cut(chance: () => boolean): string;
}

const sector = 512;

export function cuttable(path: string): Cuttable {
  const wal = `${path}-wal`;
  const has = (file: string) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
  const onDisk = new Map([path, wal].map((file) => [file, has(file)]));
  const atSync: ((of: 'file' | 'wal') => void)[] = [];
  const diskOf = (file: string) => ({
    async sync() {
      for (const look of atSync) look(file === path ? 'file' : 'wal');
      onDisk.set(file, has(file));
    },
    check: () => undefined,
    descriptor: () => 0,
    close: () => undefined,
  });
  return {
    disks: { file: diskOf(path), wal: diskOf(wal), close: () => undefined },
    atSync,
    committed() {
      const kept = Buffer.from(onDisk.get(wal) ?? []);
      const header = has(wal).subarray(0, sector);
      onDisk.set(wal, Buffer.concat([header, kept.subarray(header.length)]));
    },
    cut(chance) {
      const left = join(temporaryDirectory(), 'left.db');
      for (const suffix of ['', '-wal']) {
        const [now, then] = [has(path + suffix), onDisk.get(path + suffix) ?? Buffer.alloc(0)];
        const bytes = Buffer.alloc(chance() ? now.length : Math.max(now.length, then.length));
        then.copy(bytes);
        for (let at = 0; at < now.length; at += sector) if (chance()) now.copy(bytes, at, at, at + sector);
        writeFileSync(left + suffix, bytes);
      }
      const [head, noted] = [headPathOf(path), headPathOf(left)];
      // It is written a sector at a time without waiting for the disk: any of its lines may be lost.
      if (existsSync(head)) writeFileSync(noted, chance() ? has(head) : (onDisk.get(head) ?? has(head)));
      onDisk.set(head, has(head));
      return left;
    },
  };
}
