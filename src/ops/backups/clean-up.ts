import { codec } from '#catalogue/events.ts';
import type { LogReader } from '#eventstore/log-reader.ts';
import { hashIn } from '#media/files.ts';
import type { ObjectStore } from '#objects/port.ts';
import { goneByErasure } from '../verify/files.ts';
import type { NamedManifest, Repository } from './repository.ts';
import { piecesOf } from './tail.ts';

/** Milliseconds for which unreferenced objects are kept: another process may be about to reference them. */
const hour = 3_600_000;
const segmentKey = /^log\/\d{12}-[\da-f-]{36}$/;

interface Kept {
  readonly made: NamedManifest;
  readonly superseded: readonly NamedManifest[];
  readonly keep: number;
}

/** Removes what no backup needs. Objects whose names this version does not know stay. */
export async function cleanUp(repository: Repository, { made, superseded, keep }: Kept): Promise<void> {
  const { store } = repository;
  const gone = new Set(superseded.map(({ key }) => key));
  const keys = (await repository.keys()).filter((key) => !gone.has(key));
  const stay = keys.slice(-keep);
  const manifests = await Promise.all(stay.map((key) => repository.read(key)));
  const lines = new Set(manifests.map(({ line }) => line));
  // Pieces first: without their backups they would be a gap.
  for (const { key, line, to } of await piecesOf(repository)) {
    if (!lines.has(line) || (line === made.line && to <= made.position)) await store.remove(key);
  }
  for (const key of [...gone, ...keys.slice(0, -keep)]) await store.remove(key);
  const named = new Set(manifests.flatMap(({ segments }) => segments.map(({ key }) => key)));
  const orphaned = new Set(superseded.flatMap(({ segments }) => segments.map(({ key }) => key)));
  const before = (await store.now()) - hour;
  for (const start of ['log/', 'tmp/']) {
    for await (const { key, changed } of store.list(start)) {
      const isOurs = segmentKey.test(key) || start === 'tmp/';
      if (isOurs && !named.has(key) && (changed < before || orphaned.has(key))) await store.remove(key);
    }
  }
}

/** Removes the files of erased items, which no event with readable texts names any more. */
export async function removeErased(media: ObjectStore, log: LogReader): Promise<void> {
  const named = new Set<string>();
  const isErased = goneByErasure();
  for (const stored of log.chain()) {
    if (!codec.naming.has(stored.type)) continue;
    const files = codec.files(codec.decode(stored), stored.stream);
    if (files !== null && !isErased(stored, files.of)) for (const { hash } of files.files) named.add(hash);
  }
  for await (const { key } of media.list('')) {
    const hash = hashIn(key);
    if (hash !== null && !named.has(hash)) await media.remove(key);
  }
}
