import { codec, followStream } from '#catalogue/events.ts';
import type { Follower } from '#domain/kernel/sequence.ts';
import { LogDamaged } from '#eventstore/port.ts';
import type { LogReader, PlainEvent } from '#eventstore/sqlite/log-reader.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** Number of events between two progress reports. */
const stride = 500;

/** Checks a log stream by stream: gapless revisions, and only allowed sequences of events. */
export async function checkStreams(log: LogReader, progress: StartProgress): Promise<readonly Check[]> {
  const revisions = findingsOf('revisions');
  const sequences = findingsOf('sequences');
  const task = progress({ name: 'checking the streams', total: log.top, unit: 'events' });
  let streams = 0;
  let events = 0;
  let stream = '';
  let revision = 0;
  let follower: Follower | null = null;

  function close(): void {
    const fault = follower?.end();
    if (fault) sequences.add(`${stream}: ${fault}`);
  }

  function open(next: PlainEvent): void {
    close();
    streams += 1;
    stream = next.stream;
    revision = 0;
    follower = followStream(stream);
    if (follower === null) sequences.add(`${stream}: there is no such kind of stream`, next.position);
  }

  try {
    for (const event of log.byStream()) {
      if (event.stream !== stream) open(event);
      events += 1;
      revision += 1;
      if (event.revision !== revision) {
        revisions.add(`${stream} has revision ${event.revision} in place of ${revision}`, event.position);
        revision = event.revision;
      }
      const fault = follower === null ? null : faultOf(follower, event);
      if (fault !== null) sequences.add(`${stream}: ${fault}`, event.position);
      if (events % stride === 0) await task.at(events);
    }
    close();
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    revisions.add(error.message);
  } finally {
    task.end();
  }
  if (events !== log.top) revisions.add(`the streams have ${events} events, the log ends at position ${log.top}`);
  const of = counted(streams, 'streams');
  return [revisions.end(of), sequences.end(of)];
}

function faultOf(follower: Follower, { type, v, data }: PlainEvent): string | null {
  try {
    return follower.take(codec.decode({ type, v, data, sealed: null }));
  } catch {
    return null;
  }
}
