import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { lockDirectory } from '#eventstore/lock.ts';
import { LogInUse } from '#eventstore/port.ts';
import type { Health } from '#http/server/health.ts';
import { type LastBackup, type LastDrill, readLastBackup, readLastDrill } from '#node/last-backup.ts';
import { openBeside } from '#node/open-log.ts';
import { logPathOf } from '#node/parts/log.ts';
import type { Node } from '#node/types.ts';
import { readLastVerify } from '#node/verified.ts';
import { reporterOf } from '#process/reporter.ts';
import type { Config } from '../config.ts';
import type { BackupService } from './backups/service.ts';
import { callControl, controlPath } from './control.ts';
import { lagOf } from './metrics/health.ts';
import { tableColumns } from './output.ts';
import { type Sizes, sizesOf } from './sizes.ts';
import { defineLocalVerb, defineVerb, type StoreVerb } from './verb.ts';
import { version } from './version.ts';

const state = z.object({
  process: z.int(),
  version: z.string(),
  since: z.iso.datetime(),
  address: z.string(),
  position: z.int(),
  notReady: z.array(z.string()),
  warnings: z.array(z.string()),
  rebuild: z.string().nullable(),
  writesWaiting: z.int(),
  /** Number of events in the log that reads do not show yet. */
  lagEvents: z.int(),
  signed: z
    .object({
      size: z.int(),
      at: z.string(),
      cosignedBy: z.array(z.string()).readonly(),
      missing: z.array(z.string()).readonly(),
    })
    .nullable(),
  /** Up to where the log is shipped to the backups, and for how many seconds something waits for that; null: it is not shipped. */
  shipped: z.object({ position: z.int(), lagSeconds: z.number() }).nullable(),
  eventStore: z.object({ connected: z.boolean(), ageSeconds: z.number(), head: z.int(), missing: z.int() }).nullable(),
});
type State = z.infer<typeof state>;

interface Held {
  readonly by: 'server' | 'another process' | 'nobody';
  readonly server: State | null;
}

/** Internal verb by which `status` asks the server for its state; not for typing. */
export function statusControl(node: Node, { since, health, backups }: About): StoreVerb {
  return defineVerb({
    isQuiet: true,
    name: 'status state',
    summary: 'Reports how the server is.',
    example: 'status state',
    args: z.object({}),
    run: async (): Promise<State> => {
      const { store, replica } = node;
      const { task } = store.rebuilding.state;
      return {
        process: process.pid,
        version,
        since,
        address: store.reader.site().url,
        position: store.reader.position,
        notReady: health.reasons().map(({ code }) => code),
        warnings: (health.warnings?.() ?? []).map(({ message }) => message),
        rebuild: task === null ? null : `${task.name}: ${task.done} of ${task.total || 'unknown'} ${task.unit}`,
        writesWaiting: store.writes.waiting(),
        lagEvents: lagOf(node),
        signed: store.transparency.signed(),
        shipped: shippedBy(backups),
        eventStore: replica === undefined ? null : replicaState(replica),
      };
    },
  });
}

export interface About {
  readonly since: string;
  readonly health: Pick<Health, 'reasons' | 'warnings'>;
  readonly backups: Pick<BackupService, 'shipped' | 'lag' | 'ships'> | null;
}

function shippedBy(backups: About['backups']): State['shipped'] {
  return backups?.ships ? { position: backups.shipped, lagSeconds: Math.round(backups.lag()) } : null;
}

function replicaState({
  connected,
  ageMs,
  ledgerHead,
  position,
  missing,
}: NonNullable<Node['replica']>): State['eventStore'] {
  const head = missing > 0 ? position - missing : ledgerHead;
  return { connected, ageSeconds: Math.round(ageMs / 1000), head, missing };
}

export const status = defineLocalVerb({
  name: 'status',
  summary: 'Shows who holds the data directory, since when, how large it is, and how the server is.',
  example: 'status',
  args: z.object({}),
  here: async ({ config }) => {
    const dataDir = resolve(config.dataDir);
    if (!existsSync(dataDir)) return { kind: 'unavailable', message: `There is no folder ${dataDir}: set DATA_DIR` };
    const holder = await holderOf(config.dataDir);
    const verified = readLastVerify(dataDir);
    const value = {
      dataDir,
      version,
      heldBy: holder.by,
      server: holder.server,
      bytes: await sizesOf(dataDir),
      media: config.mediaUrl,
      backups: { to: config.backups?.to ?? null, last: readLastBackup(dataDir), drill: readLastDrill(dataDir) },
      verified: verified && { at: verified.at, result: verified.result, quick: verified.quick },
      copy: holder.by === 'nobody' ? await compareCopy(config) : null,
    };
    return { kind: 'done', value, text: textOf(value) };
  },
});

async function holderOf(dataDir: string): Promise<Held> {
  const answer = await callControl(controlPath(dataDir), 'status state', {});
  if (answer?.kind === 'done') return { by: 'server', server: state.parse(answer.value) };
  // The holder may be a starting server or one of another version, which do not answer.
  return { by: answer === null && !isLocked(dataDir) ? 'nobody' : 'another process', server: null };
}

function isLocked(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'lock.db'))) return false;
  try {
    lockDirectory(dataDir)();
    return false;
  } catch (error) {
    if (error instanceof LogInUse) return true;
    throw error;
  }
}

/** A copy of a log in an event store, and whether that has the same; null: there is no copy. */
async function compareCopy(config: Config): Promise<Shown['copy']> {
  const unlock = lockDirectory(config.dataDir);
  const copy = await openBeside(config, logPathOf(config), { reporter: reporterOf() }).catch(() => null);
  try {
    return copy && { position: copy.position, eventStore: await copy.compare().then(() => 'the same log', sentenceOf) };
  } finally {
    copy?.close();
    unlock();
  }
}

const sentenceOf = (error: Error) => error.message;

interface Shown {
  readonly dataDir: string;
  readonly version: string;
  readonly heldBy: Held['by'];
  readonly server: State | null;
  readonly bytes: Sizes;
  /** Where uploaded files are kept; null: in the data directory. */
  readonly media: string | null;
  readonly backups: { readonly to: string | null; readonly last: LastBackup | null; readonly drill: LastDrill | null };
  /** `quick`: the log alone, without what follows from it. */
  readonly verified: { readonly at: string; readonly result: string; readonly quick: boolean } | null;
  readonly copy: { readonly position: number; readonly eventStore: string } | null;
}

function textOf({ dataDir, heldBy, server, bytes, media, backups, verified, copy, ...own }: Shown): string {
  const about = server === null ? [] : serverRows(server);
  return tableColumns([
    ['data directory', dataDir],
    ['held by', server === null ? heldBy : `server, process ${server.process}`],
    ['version', own.version],
    ...about,
    ...(copy === null
      ? []
      : [
          ['position', String(copy.position)],
          ['event store', copy.eventStore],
        ]),
    ...Object.entries(bytes).map(([name, size]) => [
      name,
      name === 'media' && media !== null ? `in ${media}` : `${(size / 2 ** 20).toFixed(1)} MiB`,
    ]),
    ...backupRows(backups, server?.shipped ?? null),
    [
      'verified',
      verified === null ? 'never' : `${verified.at}, ${verified.result}${verified.quick ? ' (the log alone)' : ''}`,
    ],
  ]).join('\n');
}

function backupRows({ to, last, drill }: Shown['backups'], shipped: State['shipped']): readonly (readonly string[])[] {
  const waiting = shipped === null || shipped.lagSeconds === 0 ? '' : `, the rest waits for ${shipped.lagSeconds} s`;
  return [
    ['backups', to === null ? 'none are made by the server' : `to ${to}`],
    ['last backup', last === null ? 'none was made here' : `${last.at}, up to position ${last.position}`],
    ...(drill === null ? [] : [['last drill', `${drill.at}, ${drill.ok ? 'ok' : 'wrong'}`]]),
    ...(shipped === null ? [] : [['shipped', `up to position ${shipped.position}${waiting}`]]),
  ];
}

function signedInWords(signed: State['signed']): string {
  if (signed === null) return 'nothing yet';
  const { size, at, cosignedBy, missing } = signed;
  const by = cosignedBy.length === 0 ? '' : `, cosigned by ${cosignedBy.join(', ')}`;
  const without = missing.length === 0 ? '' : `, not yet by ${missing.join(', ')}`;
  return `up to position ${size} at ${at}${by}${without}`;
}

function sharedInWords({ connected, ageSeconds, head, missing }: NonNullable<State['eventStore']>): string {
  if (missing > 0)
    return `ends at position ${head}; this node has ${missing} events more, up to position ${head + missing}`;
  return `${connected ? 'connected' : 'not connected'}, head ${head}, ${ageSeconds} s old`;
}

function serverRows(server: State): readonly (readonly string[])[] {
  const { eventStore } = server;
  return [
    ['since', server.since],
    ['server version', server.version],
    ['address', server.address],
    ['position', String(server.position)],
    ['ready', server.notReady.length === 0 ? 'yes' : `no: ${server.notReady.join(', ')}`],
    ...server.warnings.map((warning) => ['warning', warning]),
    ['rebuild', server.rebuild ?? 'none'],
    ['writes waiting', String(server.writesWaiting)],
    ['behind the log', `${server.lagEvents} events`],
    ['signed', signedInWords(server.signed)],
    ...(eventStore === null ? [] : [['event store', sharedInWords(eventStore)]]),
  ];
}
