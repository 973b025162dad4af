import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order } from './main.ts';

/** A stand-in that can be killed. */
export interface StandInProcess {
  readonly url: string;
  readonly pid: number;
  tell(order: Order): void;
  /** Kills it and restarts it on the same port, with the contents of its file. */
  restart(): Promise<void>;
  kill(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;

/** Starts a stand-in in a child process; without a file its data end with it. */
export async function startStandInProcess(file = '', maxAppendBytes = MEBIBYTE): Promise<StandInProcess> {
  const start = async (port: number) => {
    const child = fork(join(import.meta.dirname, 'main.ts'), [`${port}`, file, `${maxAppendBytes}`]);
    const [message] = (await once(child, 'message')) as [{ port: number }];
    return { child, port: message.port };
  };
  let { child, port } = await start(0);
  const kill = () => killed(child);
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    get pid() {
      return child.pid ?? 0;
    },
    tell: (order) => void child.send(order, () => undefined),
    async restart() {
      await kill();
      ({ child, port } = await start(port));
    },
    kill,
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
