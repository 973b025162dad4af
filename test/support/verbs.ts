import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callControl, controlPath } from '#ops/control.ts';
import { performLocally } from '#ops/local-verb.ts';
import { run } from '#ops/run.ts';
import { openHere, performOnStore } from '#ops/store-verb.ts';
import { verbs } from '#ops/verbs.ts';
import { readConfig } from '../../src/config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const settings = (folder: string) => ({ DATA_DIR: folder, PORT: '0', REBUILD_PRIORITY: 'normal' });

/** Runs a verb on a data directory, in a process of its own. `stop`: sends it SIGTERM. */
export function runVerb(
  folder: string,
  args: readonly string[],
  more: Record<string, string> = {},
  stop?: AbortSignal,
): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...settings(folder), ...more };
  return new Promise((done) => {
    const child = execFile(process.execPath, ['src/bin.js', ...args], { cwd: root, env }, (_, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
    stop?.addEventListener('abort', () => child.kill('SIGTERM'));
  });
}

/** The same within this process, which is much faster. */
export async function typeVerb(
  folder: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<Ended> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const config = () => readConfig({ ...settings(folder), ...more });
  const status = await run(args, {
    verbs,
    out: (text) => lines.out.push(`${text}\n`),
    err: (text) => lines.err.push(`${text}\n`),
    reach(name, given, json) {
      const verb = verbs.find((candidate) => candidate.name === name);
      if (verb !== undefined && 'here' in verb) return performLocally(verb, given, { settings: config, json });
      const call = (asked: string, its: unknown) => callControl(controlPath(folder), asked, its);
      return performOnStore({ call, open: () => openHere(config(), verbs) }, name, given);
    },
  });
  return { status, out: lines.out.join(''), err: lines.err.join('') };
}
