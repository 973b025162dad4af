import { join } from 'node:path';
import { readHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { openDamagedLog } from '#eventstore/salvage/events.ts';
import { wholeCommits } from '#eventstore/salvage/whole.ts';
import type { Outcome } from '../outcome.ts';
import type { VerbPlace } from '../verb.ts';
import { counted } from '../verify/check.ts';
import { gapLine, plainLineOf, salvageHeader } from './format.ts';
import { NotAnExport, toNewFile } from './output.ts';

interface Missing {
  readonly from: number;
  readonly to: number;
}

/** Exports the undamaged part of a log. No server may hold the directory. */
export async function salvage(file: string, place: VerbPlace): Promise<Outcome> {
  const { dataDir } = place.config;
  const path = join(dataDir, 'log.db');
  const unlock = lockDirectory(dataDir);
  try {
    const log = openDamagedLog(path);
    try {
      const output = await toNewFile(file, salvageHeader);
      const noted = readHead(path);
      const top = Math.max(log.top, noted?.position ?? 0);
      const task = place.progress({ name: 'salvaging', total: top, unit: 'events' });
      const missing: Missing[] = [];
      let [end, events, commits] = [0, 0, 0];
      try {
        for (const found of wholeCommits(log.events(), noted)) {
          if (found.kind === 'gap') {
            const { from, to } = found.gap;
            missing.push({ from, to });
            await output.write([gapLine(found.gap)]);
            continue;
          }
          await output.write(plainLineOf(found.events));
          end = found.events.at(-1)?.position ?? end;
          events += found.events.length;
          commits += 1;
          await task.at(end);
        }
      } finally {
        task.end();
        await output.close();
      }
      if (end < top) missing.push({ from: end + 1, to: top });
      return outcomeOf({ file, events, commits, missing, end });
    } finally {
      log.close();
    }
  } catch (error) {
    if (error instanceof NotAnExport) return { kind: 'refused', code: 'file_exists', message: error.message };
    throw error;
  } finally {
    unlock();
  }
}

interface Found {
  readonly file: string;
  readonly events: number;
  readonly commits: number;
  readonly missing: readonly Missing[];
  readonly end: number;
}

function outcomeOf(found: Found): Outcome {
  const { file, events, commits, missing, end } = found;
  const lines = [`${counted(events, 'events')} in ${counted(commits, 'commits')} are whole and in ${file}`];
  for (const { from, to } of missing)
    lines.push(`missing: ${from === to ? `position ${from}` : `positions ${from} to ${to}`}`);
  const bridge = missing.findLast(({ to }) => to < end);
  if (bridge !== undefined) {
    lines.push(`To import all of it, restore a backup that has position ${bridge.to}, and import the file there.`);
  }
  return { kind: missing.length === 0 ? 'done' : 'wrong', value: found, text: lines.join('\n') };
}
