import { join } from 'node:path';
import { openLogReader } from '#eventstore/log-reader.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, counted, findingsOf, isWrong } from '../verify/check.ts';
import { checkLog } from '../verify/log.ts';
import type { Checked } from '../verify/report.ts';
import { checkStreams } from '../verify/streams.ts';
import { fileCopier } from './files.ts';

export interface Whole extends Checked {
  /** Whether the log can be used; what is wrong else is wrong with files. */
  readonly usable: boolean;
}

/** Checks a copied log, and fetches the files that it names from a folder into the one beside it. */
export async function completeCopy(directory: string, media: string, progress: StartProgress): Promise<Whole> {
  const log = openLogReader(join(directory, 'log.db'));
  const findings = findingsOf('files');
  const onFault = findings.add;
  const files = fileCopier({ from: media, to: join(directory, 'media'), onFault });
  try {
    const { head, checks } = await checkLog({ log, progress, onEvent: (_, stored) => files.take([stored]) });
    const ofLog: readonly Check[] = [...checks, ...(await checkStreams(log, progress))];
    const ofFiles = findings.end(`${counted(files.copied, 'files')} copied`);
    return { head, noted: null, checks: [...ofLog, ofFiles], usable: !isWrong(ofLog) };
  } finally {
    log.close();
  }
}
