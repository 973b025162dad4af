import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions } from 'node:net';
import type { Config } from '#config.ts';
import { listenWhileStarting } from '#http/server/starting.ts';
import { openJournal } from '#node/origins.ts';
import type { Reporter } from '#process/reporter.ts';
import { startBackups } from '../backups/service.ts';
import { openNode } from '../open-node.ts';
import { definePart, type ServerParts } from './parts.ts';

/** Listens from the first moment, and tells clients to wait. */
export const starting = definePart({
  name: 'starting',
  needs: ['config', 'env', 'readiness'],
  async open({ config, env, readiness }, scope) {
    const socket = inheritedSocket(env, process.pid);
    const isShared = config.readers > 0;
    if (isShared) await requireSharing(config, socket);
    const health = { reasons: () => readiness.reasons };
    const server = await listenWhileStarting({ ...config, isShared, socket, health, newId: randomUUID });
    scope.defer(() => server.close());
    return server;
  },
});

export const node = definePart({
  name: 'node',
  needs: ['config', 'reporter', 'readiness', 'logger', 'metrics', 'telemetry', 'starting'],
  async open(parts, scope) {
    const { config, readiness, reporter, metrics, telemetry } = parts;
    const opened = await openNode(config, {
      reporter: { ...reporter, progress: progressOf(parts) },
      readiness,
      ...(metrics === null ? {} : { meter: metrics }),
      ...(telemetry === null ? {} : { tracing: telemetry }),
    });
    scope.defer(() => opened.close());
    return opened;
  },
});

export const backups = definePart({
  name: 'backups',
  needs: ['config', 'env', 'reporter', 'stop', 'node'],
  open({ config, env, reporter, stop, node: { log } }, scope) {
    const service = startBackups({ config, env, head: () => log.head().position, reporter });
    // The rest of the log is shipped after the last write.
    scope.defer(() => service?.close(stop.left));
    return service;
  },
});

/** Where writes came from. */
export const journal = definePart({
  name: 'journal',
  needs: ['config', 'reporter', 'node'],
  open({ config: { originDays: days }, reporter, node: opener }, scope) {
    const file = opener.store.nodeFile;
    const opened = days === 0 ? undefined : openJournal({ file, days, clock: Date.now, reporter });
    scope.defer(() => opened?.close());
    return opened;
  },
});

function progressOf({ logger, readiness }: Pick<ServerParts, 'logger' | 'readiness'>): Reporter['progress'] {
  let last = performance.now();
  return (position, head) => {
    if (readiness.reasons.some(({ code }) => code === 'starting')) {
      readiness.hold('starting', `it starts: the projections are at position ${position} of ${head}`);
    }
    if (performance.now() - last < 1000) return;
    last = performance.now();
    logger.info({ position, head }, 'catching up with the log');
  };
}

/** Threads can share a port if the system lets them, and if nothing else has it: another server could share it, too. */
async function requireSharing({ host, port }: Config, socket: number | null): Promise<void> {
  if (socket !== null) throw new CannotShare('the port is one that a service manager passes on');
  try {
    await listensFor(host, port, { reusePort: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTSUP' || code === 'ENOPROTOOPT') throw new CannotShare('this system cannot share a port');
    throw error;
  }
  await listensFor(host, port, {});
}

/** Listens for a moment. */
async function listensFor(host: string, port: number, options: ListenOptions): Promise<void> {
  const probe = createServer().listen({ host, port, ...options });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** READERS cannot be used here. */
class CannotShare extends Error {
  override readonly name = 'CannotShare';
  readonly code = 'ERR_READERS_PORT';

  constructor(reason: string) {
    super(`READERS must be 0 here: ${reason}`);
  }
}

/** File descriptor of the listening socket that a service manager passes (`LISTEN_FDS`); null if there is none. */
function inheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  if (env['LISTEN_PID'] !== String(pid) || !env['LISTEN_FDS']) return null;
  if (env['LISTEN_FDS'] !== '1') throw new Error(`one socket can be handed over, not ${env['LISTEN_FDS']}`);
  return firstSocket;
}

/** The first after standard input, output and error. */
const firstSocket = 3;
