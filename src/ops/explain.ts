import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogUnavailable } from '#eventstore/port.ts';

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port, path } = error as Fault;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} is taken; set PORT to another one (0 for a free one)`;
  if (syscall === 'listen' && code === 'EACCES') return `Port ${port} may not be used by this account; set PORT`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine does not have the address of HOST: ${error.message}`;
  if (path !== undefined && (code === 'EEXIST' || code === 'ENOTDIR'))
    return `${path} is a file, not a folder; set DATA_DIR`;
  if (path !== undefined && denied.includes(code ?? '')) return deniedAt(path);
  return error.message;
}

/** Exit status of a failed start: 3 if the log is unusable, as for verbs, otherwise 1. */
export function exitStatus(error: unknown): number {
  return error instanceof LogUnavailable ? 3 : 1;
}

/** Checks a data directory. Throws errors that name the file, which the database's own do not. */
export function requireFolder(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  if (!statSync(dataDir).isDirectory()) throw new Error(`${dataDir} is a file, not a folder; set DATA_DIR`);
  const files = ['lock.db', 'log.db', 'projections.db'].map((name) => join(dataDir, name));
  for (const path of [dataDir, ...files.filter((file) => existsSync(file))]) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch {
      throw new Error(deniedAt(path));
    }
  }
}

type Fault = NodeJS.ErrnoException & { readonly port?: number };
const denied = ['EACCES', 'EPERM', 'EROFS'];

function deniedAt(path: string): string {
  return `${path} may not be read and written by this account`;
}
