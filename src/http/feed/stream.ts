import { asciiJson } from '#text/json.ts';
import { type FeedReading, pause } from './reading.ts';
import { type VisibleCommit, visibleIn } from './visible.ts';

/** After this many events without a visible change, the client is sent the position reached. */
const SILENT_EVENTS = 1000;
/** Milliseconds after which a disconnected client reconnects. */
const RETRY = 2000;

/**
 * Returns the commits after a position as endless server-sent events. A commit is read only when the client has taken the previous
 * one: slow clients lag behind at no cost. `heartbeat`: longest silence in milliseconds.
 */
export async function* streamCommits(reading: FeedReading, heartbeat: number): AsyncGenerator<string> {
  const { source, journal, viewer, gone } = reading;
  let position = reading.from;
  let reported = position;
  let spoke = performance.now();
  const say = (text: string, at: number) => {
    reported = at;
    spoke = performance.now();
    return text;
  };
  // The position of a client that is disconnected before the first event.
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
    if (left <= 0 || position - reported >= SILENT_EVENTS) yield say(standing(position), position);
    await pause({ source, position, ms: left, gone });
  }
}

function eventOf(commit: VisibleCommit): string {
  return `event: commit\nid: ${commit.position}\ndata: ${asciiJson(commit)}\n\n`;
}

/** Not an id alone: several clients take an id only from an event with data, and would come back with an older one, or with none. */
function standing(position: number): string {
  return `event: position\nid: ${position}\ndata: ${asciiJson({ position })}\n\n`;
}
