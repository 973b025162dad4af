import { join } from 'node:path';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, type Checked, counted, findingsOf, isWrong } from '../verify/check.ts';
import { type CheckLog, checkLog } from '../verify/log.ts';
import { checkStreams } from '../verify/streams.ts';
import { type CopyFiles, fileCopier } from './files.ts';

export interface Whole extends Checked {
  /** Whether the log is usable; other findings concern files. */
  readonly usable: boolean;
}

export async function completeCopy(
  directory: string,
  { from, to, pending }: Pick<CopyFiles, 'from' | 'to'> & Pick<CheckLog, 'pending'>,
  progress: StartProgress,
): Promise<Whole> {
  const log = openLogReader(join(directory, 'log.db'));
  const findings = findingsOf('files');
  const onFault = findings.add;
  const files = fileCopier({ from, to, onFault });
  try {
    const { head, checks } = await checkLog({ log, progress, pending, onEvent: (_, stored) => files.take([stored]) });
    const ofLog: readonly Check[] = [...checks, ...(await checkStreams(log, progress))];
    const ofFiles = findings.end(`${counted(files.copied, 'files')} copied`);
    return { head, noted: null, signed: null, checks: [...ofLog, ofFiles], usable: !isWrong(ofLog) };
  } finally {
    log.close();
  }
}
