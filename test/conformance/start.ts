// Starts a server on an empty data directory, creates the five users by the command line (the first before the server
// runs, the others through it), replays the corpus and stops the server. `--only PATTERN` selects scenarios, `--keep` keeps
// the data directory, `--json FILE` names the report. `--renamed` gives the interface different names and translates in
// between; otherwise every response is compared with the OpenAPI document. `--readers N` starts N reader threads. All other arguments are
// passed to run.mjs.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { slowness } from '../support/slowness.ts';
import { judge, type Report } from './decided.ts';
import { checkDescribed } from './described.ts';
import { otherNames, translate } from './renamed.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = { name: 'Example Site', description: 'An example tagline', timezone: 'Europe/Berlin' };
/** Name and role, in the order of their ids. */
const users = [
  ['admin', 'administrator'],
  ['editor', 'editor'],
  ['author', 'author'],
  ['contributor', 'contributor'],
  ['subscriber', 'subscriber'],
] as const;
/** Recorded refusals that this project decided against. */
const skipped = ['revision-delete-refused', 'batch-partial'];

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const { only, keep, renamed, readers, report, rest } = readArguments(argv, process.env['REPORTS'] ?? folder);
  mkdirSync(dirname(report), { recursive: true });
  const port = await freePort();
  const faults = new Set<string>();
  const between = renamed ? translate(port) : checkDescribed(port, (fault) => faults.add(fault));
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const address = `http://127.0.0.1:${portOf(between)}`;
  const names = renamed ? { INTERFACE_NAMES: JSON.stringify(otherNames) } : {};
  // Links lead to the proxy as well, so that no request bypasses it.
  const env = { ...environment(folder, port), SITE_URL: address, READERS: readers, ...names };
  const [first, ...others] = users;
  const made = await makeUsers([first], env);
  const server = startServer(folder, env);
  const stopEarly = (): void => void server.kill('SIGTERM');
  process.on('SIGINT', stopEarly).on('SIGTERM', stopEarly);
  try {
    const base = `${address}/cms-json`;
    await answers(base, server, folder);
    const config = join(folder, 'users.json');
    Object.assign(made, await makeUsers(others, env));
    writeFileSync(config, JSON.stringify({ site, users: made }), { mode: 0o600 });
    const skips = skipped.flatMap((tag) => ['--skip', tag]);
    await replay(['--quiet', '--base', base, '--users', config, '--only', only, '--json', report, ...skips, ...rest]);
    const status = summarise(report);
    for (const fault of faults) console.log(`not as described: ${fault}`);
    return faults.size > 0 ? 1 : status;
  } finally {
    between.closeAllConnections();
    between.close();
    await stop(server);
    if (keep) console.log(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

function readArguments(argv: readonly string[], reports: string) {
  const read = { only: '^open/', keep: false, renamed: false, readers: '0', report: '', rest: [] as string[] };
  for (let i = 0; i < argv.length; i++) {
    const [name, given] = (argv[i] ?? '').split(/=(.*)/s);
    if (name === '--only') read.only = given ?? argv[++i] ?? '';
    else if (name === '--json') read.report = given ?? argv[++i] ?? '';
    else if (name === '--readers') read.readers = given ?? argv[++i] ?? '';
    else if (name === '--keep') read.keep = true;
    else if (name === '--renamed') read.renamed = true;
    else read.rest.push(argv[i] ?? '');
  }
  const own = join(reports, read.renamed ? 'conformance-renamed.json' : 'conformance.json');
  return { ...read, report: read.report || own };
}

/** The environment of the server, without settings of the caller. */
function environment(folder: string, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SITE_NAME: site.name,
    SITE_DESCRIPTION: site.description,
    SITE_TIMEZONE: site.timezone,
    LOG_LEVEL: 'warn',
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function startServer(folder: string, env: NodeJS.ProcessEnv): ChildProcess {
  const server = spawn(process.execPath, ['src/bin.js', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, 'server.log'));
  server.stdout?.pipe(log, { end: false });
  server.stderr?.pipe(log, { end: false });
  return server;
}

/** Waits until the site index is served. */
async function answers(base: string, server: ChildProcess, folder: string): Promise<void> {
  for (const until = Date.now() + 60_000 * slowness; Date.now() < until && !isGone(server); ) {
    const response = await fetch(base).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`the server did not come up:\n${readFileSync(join(folder, 'server.log'), 'utf8')}`);
}

async function makeUsers(wanted: readonly (typeof users)[number][], env: NodeJS.ProcessEnv) {
  const made: Record<string, unknown> = {};
  for (const [name, role] of wanted) {
    const args = ['src/bin.js', 'user', 'add', name, '--role', role, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
    made[name] = JSON.parse(stdout);
  }
  return made;
}

async function replay(args: readonly string[]): Promise<void> {
  const runner = fileURLToPath(new URL('run.mjs', import.meta.url));
  await once(spawn(process.execPath, [runner, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
}

/** Returns the exit status: 0 if every step passes or differs only by a decision. */
function summarise(report: string): number {
  const judged = judge(JSON.parse(readFileSync(report, 'utf8')) as Report);
  writeFileSync(report, JSON.stringify(judged, null, 1));
  const { scenarios, scenariosPassed, steps, stepsPassed, stepsDecided } = judged.totals;
  for (const scenario of judged.scenarios) printFailures(scenario);
  const decided = stepsDecided === 0 ? '' : `, ${stepsDecided} of them decided to differ`;
  console.log(`conformance: ${scenariosPassed} of ${scenarios} scenarios, ${stepsPassed} of ${steps} steps${decided}`);
  return steps > 0 && stepsPassed === steps ? 0 : 1;
}

function printFailures({ id, steps }: Report['scenarios'][number]): void {
  const failed = steps.filter(({ pass }) => !pass);
  if (failed.length > 0) console.log(`FAIL ${id}`);
  for (const { request, diffs } of failed) {
    const lines = diffs.map(({ path, expected, actual }) => [path, ...[expected, actual].map(brief)].join('\n      '));
    console.log(`  ${request}\n    ${lines.join('\n    ')}`);
  }
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}

async function stop(server: ChildProcess): Promise<void> {
  if (isGone(server)) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  const forced = setTimeout(() => server.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(forced);
}

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
