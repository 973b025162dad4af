import { join } from 'node:path';
import { z } from 'zod';
import { type LogReader, openLogReader } from '#eventstore/log-reader.ts';
import type { Head } from '#eventstore/port.ts';
import { defineLocalVerb, type Place, UsageError } from './verb.ts';
import { isWrong } from './verify/check.ts';
import { checkFiles } from './verify/files.ts';
import { checkLog } from './verify/log.ts';
import { type Checked, textOf } from './verify/report.ts';
import { checkStreams } from './verify/streams.ts';
import { checkViews } from './verify/views.ts';

const verify = defineLocalVerb({
  name: 'verify',
  summary: 'Proves that the log is whole and untouched, and that all that is derived follows from it.',
  example: 'verify --head 3:5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
  args: z.object({
    head: z.string().optional().describe('a head that was noted earlier, <position>:<hash>: is this still that log?'),
    quick: z.boolean().optional().describe('only the log: neither what is derived nor files'),
  }),
  here: async (place, { head, quick = false }) => {
    const noted = head === undefined ? undefined : readHead(head);
    const log = openLogReader(join(place.config.dataDir, 'log.db'));
    try {
      const verified = await verifyAll(log, { place, noted, quick });
      const kind = isWrong(verified.checks) ? 'wrong' : 'done';
      return { kind, value: verified, text: textOf(verified) };
    } finally {
      log.close();
    }
  },
});

export const verifyVerbs = [verify];

interface How {
  readonly place: Place;
  readonly noted: Pick<Head, 'position' | 'hash'> | undefined;
  readonly quick: boolean;
}

async function verifyAll(log: LogReader, { place, noted, quick }: How): Promise<Checked> {
  const { progress, config } = place;
  const files = checkFiles(join(config.dataDir, 'media'));
  const onEvent = quick ? () => undefined : files.take;
  const { head, checks } = await checkLog({ log, progress, noted, onEvent });
  const ofStreams = await checkStreams(log, progress);
  if (quick) return { head, checks: [...checks, ...ofStreams] };
  // Loaded only now, because a quick look does without.
  const { checkProjections } = await import('./verify/projections.ts');
  const derived = [...(await checkProjections(log, place)), await checkViews(config.dataDir, progress)];
  return { head, checks: [...checks, ...ofStreams, files.end(), ...derived] };
}

function readHead(text: string): Pick<Head, 'position' | 'hash'> {
  const [, position, hash] = /^(\d+):([\da-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) throw new UsageError('head: not of the form <position>:<hash>');
  return { position: Number(position), hash };
}
