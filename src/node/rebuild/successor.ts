import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '#eventstore/port.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { openProjections, openReader } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';
import { Live } from '#projections/reading/live.ts';

export interface Successor {
  /** The file, and the directory of its ready answers; null: the live ones are kept. */
  readonly path: string;
  readonly viewsPath: string | null;
  readonly live: Live;
  /** Closes the file; what is in memory remains usable. */
  close(): void;
}

/** Events applied between two pauses: a few milliseconds of work. */
const slice = 50;
/** Events that may be left for the takeover. */
const near = 50;

export interface SuccessorOptions {
  readonly log: EventStore;
  readonly path: string;
  readonly viewsPath: string | null;
  readonly signal: AbortSignal;
  readonly onProgress: (position: number, head: number) => void;
}

/** Opens projections beside the live ones and catches them up, a few milliseconds at a time, so that requests are answered in between. */
export async function prepareSuccessor({
  log,
  path,
  viewsPath,
  signal,
  onProgress,
}: SuccessorOptions): Promise<Successor> {
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const connection of opened.splice(0).reverse()) connection.close();
  };
  const pause = async () => {
    await turn();
    signal.throwIfAborted();
  };
  try {
    const db = openProjections(path);
    opened.push(db);
    const reader = openReader(path);
    opened.push(reader);
    const live = new Live(reader, { later: true });
    for (const _ of live.load(reader)) await pause();
    while (live.work()) await pause();
    const projector = new Projector(db);
    for (;;) {
      const { position } = projector.checkpoint;
      const head = log.head().position;
      if (head - position <= near) return { path, viewsPath, live, close };
      live.apply(catchUp({ log, db, projector, max: slice }));
      onProgress(position, head);
      await pause();
    }
  } catch (error) {
    close();
    throw error;
  }
}
