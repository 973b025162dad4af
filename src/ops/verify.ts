import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { type NotedHead, readHead } from '#eventstore/head-file.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import { type LogReader, openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { openMedia } from '#media/open.ts';
import { FileDamaged } from '#node/checked-file.ts';
import { keptFaults } from '#node/data-files.ts';
import { publicKeysIn } from '#node/tree/checkpoint-keys.ts';
import { CHECKPOINTS, type KeptCheckpoint, readCheckpoints, TIMESTAMPS } from '#node/tree/checkpoints.ts';
import { partnersIn } from '#node/tree/witnesses.ts';
import { type LastVerify, writeLastVerify } from '#node/verified.ts';
import type { Config } from '../config.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';
import { withSubjects } from './verify/about.ts';
import { type Check, type Checked, findingsOf, isWrong, reportText } from './verify/check.ts';
import { checkCheckpoints, type EntriesCheck } from './verify/checkpoints.ts';
import { checkFiles } from './verify/files.ts';
import { checkHead, checkLog } from './verify/log.ts';
import { checkViews } from './verify/projections.ts';
import { checkStreams } from './verify/streams.ts';
import { checkTree } from './verify/tree.ts';

const verify = defineLocalVerb({
  name: 'verify',
  summary:
    'Checks that the log is whole and consistent and that everything derived from it matches; with --head also that it still contains the recorded head.',
  example: 'verify --head 3:5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
  args: z.object({
    head: z
      .string()
      .optional()
      .describe(
        'a head noted elsewhere, <position>:<hash>; without it a log that was rewritten as a whole is not noticed',
      ),
    checkpoints: localPath()
      .optional()
      .describe(
        'checkpoints that were kept elsewhere: a copy of checkpoints.jsonl, a single one, or a folder as CHECKPOINT_TO makes it. Default: those in the data directory',
      ),
    authority: localPath().optional().describe('file with the certificate of the time-stamping authority, in PEM'),
    quick: z.boolean().optional().describe('check the log only, not the derived data or files'),
    salvage: localPath()
      .optional()
      .describe('check nothing, but write the intact commits of a damaged log to this file; the server must not run'),
  }),
  here: async (place, { head, checkpoints, authority, quick = false, salvage: file }) => {
    if (file !== undefined) {
      if (head !== undefined || checkpoints !== undefined || authority !== undefined || quick) {
        throw new UsageError('--salvage goes with nothing else');
      }
      return (await import('./transfer/salvage.ts')).salvage(file, place);
    }
    const noted = head === undefined ? undefined : parseHead(head);
    const { dataDir } = place.config;
    const keep = (found: Pick<LastVerify, 'result' | 'head'>) =>
      writeLastVerify(dataDir, { ...found, noted: noted !== undefined, quick });
    const path = join(dataDir, 'log.db');
    // Read before the log, which a server may extend meanwhile.
    const witness = readHead(path);
    let log: LogReader | null = null;
    try {
      log = openLogReader(path);
      const found = await verifyAll(log, { place, noted, witness, quick, checkpoints, authority });
      const verified = { ...found, checks: withSubjects(found.checks, log) };
      const wrong = isWrong(verified.checks);
      keep({ result: wrong ? 'wrong' : 'ok', head: verified.head });
      return { kind: wrong ? 'wrong' : 'done', value: verified, text: reportText(verified) };
    } catch (error) {
      if (error instanceof LogDamaged) keep({ result: 'wrong', head: null });
      throw error;
    } finally {
      log?.close();
    }
  },
});

export const verifyVerbs = [verify];

interface How {
  readonly place: VerbPlace;
  readonly noted: Pick<Head, 'position' | 'hash'> | undefined;
  readonly witness: NotedHead | null;
  readonly quick: boolean;
  /** File of checkpoints that was given. */
  readonly checkpoints: string | undefined;
  /** File with the certificate of the time-stamping authority. */
  readonly authority: string | undefined;
}

async function verifyAll(
  log: LogReader,
  { place, noted, witness, quick, checkpoints, authority }: How,
): Promise<Checked> {
  const { progress, config } = place;
  const files = checkFiles(await openMedia(config));
  const onEvent = quick ? () => undefined : files.take;
  const faults: string[] = [];
  const kept = checkpointsIn(checkpoints ?? join(config.dataDir, CHECKPOINTS), (fault) => faults.push(fault));
  if (checkpoints !== undefined && kept.length === 0) throw new UsageError(`${checkpoints} has no checkpoints`);
  const compared = kept.length === 0 ? [] : [compare(kept, faults, config)];
  const tree = quick ? [] : [checkTree(config.dataDir, log)];
  const { head, checks } = await checkLog({ log, progress, noted, entries: [...compared, ...tree], onEvent });
  const stamped = await timestampsChecked(config.dataDir, kept, authority);
  const ofStreams = [
    ...keptChecked(config),
    ...stamped,
    checkHead(witness, log),
    ...(await checkStreams(log, progress)),
  ];
  const found = {
    head,
    noted: noted?.position ?? null,
    signed: checkpoints === undefined ? null : (kept.at(-1)?.at ?? null),
  };
  if (quick) return { ...found, checks: [...checks, ...ofStreams] };
  // Imported lazily, since a quick check does not need it.
  const { checkProjections } = await import('./verify/projections.ts');
  const derived = [...(await checkProjections(log, place)), await checkViews(config.dataDir, progress)];
  return { ...found, checks: [...checks, ...ofStreams, files.end(), ...derived] };
}

/** Its library is loaded only if there are timestamps. */
async function timestampsChecked(
  dataDir: string,
  kept: readonly KeptCheckpoint[],
  authority: string | undefined,
): Promise<readonly Check[]> {
  const folder = statSync(join(dataDir, TIMESTAMPS), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) return [];
  const { checkTimestamps } = await import('./verify/timestamps.ts');
  const certificate = authority === undefined ? undefined : readFileSync(authority);
  const check = checkTimestamps(dataDir, { kept, certificate });
  return check === null ? [] : [check];
}

function compare(
  kept: readonly KeptCheckpoint[],
  faults: readonly string[],
  { dataDir, checkpoints }: Config,
): EntriesCheck {
  return checkCheckpoints(kept, { keys: keysOf(dataDir, checkpoints.key), partners: partnersIn(dataDir), faults });
}

/** Null also when they are damaged, which another check says. */
function keysOf(dataDir: string, given: string | null): ReturnType<typeof publicKeysIn> {
  try {
    return publicKeysIn(dataDir, given);
  } catch (error) {
    if (error instanceof FileDamaged) return null;
    throw error;
  }
}

/** Whether files that cannot be made again are as they were written; nothing is said if they are. */
function keptChecked({ dataDir, checkpoints }: Config): readonly Check[] {
  const findings = findingsOf('kept');
  const damaged = keptFaults({ dataDir, given: checkpoints.key });
  for (const { message } of damaged) findings.add(message);
  return damaged.length === 0 ? [] : [findings.end('files that cannot be made again')];
}

function checkpointsIn(path: string, onFault: (fault: string) => void): readonly KeptCheckpoint[] {
  try {
    return readCheckpoints(path, onFault);
  } catch (error) {
    throw new UsageError(`${path} has no checkpoints: ${(error as Error).message}`);
  }
}

function parseHead(text: string): Pick<Head, 'position' | 'hash'> {
  const [, position, hash] = /^(\d+):([\da-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) throw new UsageError('--head is not of the form position:hash');
  return { position: Number(position), hash };
}
