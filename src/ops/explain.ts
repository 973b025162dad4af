import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogUnavailable } from '#eventstore/port.ts';

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port, path, hostname, setting = 'PORT' } = error as Fault;
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return `Port ${port} is taken; set ${setting} to another one (0 for a free one)`;
  if (syscall === 'listen' && code === 'EACCES') return `Port ${port} may not be used by this account; set ${setting}`;
  if (syscall === 'listen' && code === 'EADDRNOTAVAIL')
    return `This machine does not have the address of HOST: ${error.message}`;
  if (path !== undefined && (code === 'EEXIST' || code === 'ENOTDIR'))
    return `${path} is a file, not a folder; set DATA_DIR`;
  if (syscall === 'mkdir' && path !== undefined)
    return `${path} cannot be made: ${causes[code ?? ''] ?? error.message}; set DATA_DIR`;
  if (path !== undefined && denied.includes(code ?? '')) return deniedAt(path, code);
  if (code === 'ENOTFOUND')
    return `There is no machine named ${hostname}; HOST is an address of this machine, or its name`;
  return error.message;
}

/** Exit status of a failed start, as for verbs: 2 for wrong settings, 3 if the log is unusable; otherwise 1. */
export function exitStatus(error: unknown): number {
  // By name: what settings import depends on plugins, which may be unusable.
  if (error instanceof Error && ['ConfigError', 'UnusablePlugin'].includes(error.name)) return 2;
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
    } catch (error) {
      throw new Error(deniedAt(path, (error as Fault).code));
    }
  }
}

type Fault = NodeJS.ErrnoException & { readonly port?: number; readonly hostname?: string; readonly setting?: string };
const denied = ['EACCES', 'EPERM', 'EROFS'];
const causes: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write where it would be',
  EPERM: 'this account may not write where it would be',
  EROFS: 'the file system is read-only',
  ENOENT: 'nothing can be put where it would be',
  ENOSPC: 'the disk is full',
};

function deniedAt(path: string, code?: string): string {
  const why = code === 'EROFS' ? 'lies on a read-only file system' : 'may not be read and written by this account';
  return `${path} ${why}; set DATA_DIR, or change that`;
}
