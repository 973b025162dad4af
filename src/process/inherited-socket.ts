/** File descriptor of the listening socket that a service manager passes (`LISTEN_FDS`); null if there is none. */
export function inheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  if (env['LISTEN_PID'] !== String(pid) || !env['LISTEN_FDS']) return null;
  if (env['LISTEN_FDS'] !== '1') throw new Error(`one socket can be handed over, not ${env['LISTEN_FDS']}`);
  return firstSocket;
}

/** The first after standard input, output and error. */
const firstSocket = 3;
