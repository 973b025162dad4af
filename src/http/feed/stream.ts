import { asciiJson } from '#text/json.ts';
import { pause } from './pause.ts';
import type { Reading } from './reading.ts';
import { type VisibleCommit, visibleIn } from './visible.ts';

/** After so many events that were looked through in vain, a reader is told how far that was. */
const SILENT_EVENTS = 1000;
/** Milliseconds after which a client comes again when the connection ended. */
const RETRY = 2000;

/**
 * The commits after a position as server-sent events, without end. A commit is looked at when the reader has taken
 * the one before: one who is slow lags behind, at no cost. `heartbeat`: longest silence, milliseconds.
 */
export async function* streamCommits(reading: Reading, heartbeat: number): AsyncGenerator<string> {
  const { source, journal, viewer, gone } = reading;
  let position = reading.from;
  let told = position;
  let spoke = performance.now();
  const say = (text: string, at: number) => {
    told = at;
    spoke = performance.now();
    return text;
  };
  // Where a client stands that is cut off before anything happened.
  yield `retry: ${RETRY}\n${standing(position)}`;
  while (!gone.aborted) {
    await reading.turn();
    const page = journal.after(position);
    for (const commit of page.commits) {
      if (gone.aborted) return;
      const visible = visibleIn(commit, { viewer, model: source.model() });
      if (visible !== null) yield say(eventOf(visible), visible.position);
    }
    position = page.position;
    const left = heartbeat - (performance.now() - spoke);
    if (left <= 0 || position - told >= SILENT_EVENTS) yield say(standing(position), position);
    await pause({ source, position, ms: left, gone });
  }
}

function eventOf(commit: VisibleCommit): string {
  return `event: commit\nid: ${commit.position}\ndata: ${asciiJson(commit)}\n\n`;
}

function standing(position: number): string {
  return `: position ${position}\nid: ${position}\n\n`;
}
