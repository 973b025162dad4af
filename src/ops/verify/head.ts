import type { NotedHead } from '#eventstore/head-file.ts';
import type { LogReader } from '#eventstore/log-reader.ts';
import { LogDamaged } from '#eventstore/port.ts';
import { type Check, findingsOf, skipped } from './check.ts';

export function checkHead(noted: NotedHead | null, log: Pick<LogReader, 'chain' | 'top'>): Check {
  if (noted === null) return skipped('head', 'none is noted beside the log; a server does so');
  const findings = findingsOf('head');
  const { position, hash } = noted;
  if (position > log.top) {
    findings.add(
      `The log ends at position ${log.top}, positions ${log.top + 1} to ${position} are missing`,
      log.top + 1,
    );
  } else if (position > 0 && hashAt(log, position) !== hash) {
    findings.add('The log does not have the head that is noted in the file "head"', position);
  }
  return findings.end(`position ${position} as noted`);
}

function hashAt(log: Pick<LogReader, 'chain'>, position: number): string | null {
  try {
    for (const event of log.chain(position)) return event.position === position ? event.hash : null;
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
  }
  return null;
}
