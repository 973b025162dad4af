/** The listening socket that a service manager hands over (`LISTEN_FDS`); null where it hands over none. */
export function inheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  if (env['LISTEN_PID'] !== String(pid) || !env['LISTEN_FDS']) return null;
  if (env['LISTEN_FDS'] !== '1') throw new Error(`one socket can be handed over, not ${env['LISTEN_FDS']}`);
  return firstSocket;
}

/** Behind input, output and errors. */
const firstSocket = 3;
