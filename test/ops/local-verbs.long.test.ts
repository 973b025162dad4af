import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commit } from '../support/commits.ts';
import { directoryWith, logOf } from '../support/plain-log.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the command line on a data directory. */
function start(dataDir: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['src/cli.ts', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = async (stream: NodeJS.ReadableStream) => (await Array.fromAsync(stream, String)).join('');
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { child, ended: ended.then(([out, err, [status]]) => ({ status: status as number | null, out, err })) };
}

const cli = (dataDir: string, ...args: readonly string[]) => start(dataDir, ...args).ended;

const created = (id: number) => ({
  stream: `term-${id}`,
  type: 'TermCreated',
  v: 1,
  data: JSON.stringify({ id, taxonomy: 'category', name: 'X', slug: `t-${id}`, description: '', parent: 0 }),
  sealed: null,
});
const sample = (count = 3) =>
  directoryWith(
    commit(
      Array.from({ length: count }, (_, i) => created(i + 1)),
      { actor: null },
    ),
  );

describe('commands on files', () => {
  it('move a site to another directory by export and import, and exit with 0', async () => {
    const [from, to] = [await sample(), temporaryDirectory()];
    const file = join(temporaryDirectory(), 'site.ndjson');
    const { status, out, err } = await cli(from, 'export', file, '--json');
    expect({ status, err, out: JSON.parse(out) }).toMatchObject({
      status: 0,
      err: '',
      out: { position: 3, commits: 1 },
    });
    expect(await cli(to, 'import', file)).toMatchObject({ status: 0, err: '' });
    expect(logOf(to)).toEqual(logOf(from));
    const { out: piped } = await cli(from, 'export', '-');
    expect(piped).toBe(readFileSync(file, 'utf8'));
  });

  it('exit with 1 and report what is wrong, as text and as JSON', async () => {
    const directory = await directoryWith(commit([created(2), created(1)]));
    const { status, out } = await cli(directory, 'verify');
    expect(status).toBe(1);
    expect(out).toMatch(
      /^ids +wrong .*\n {2}position 2: TermCreated hands out the term id 1 after 2 \(.+, Created\)$/m,
    );
    const json = await cli(directory, 'verify', '--quick', '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.out).checks[2]).toMatchObject({ check: 'ids', result: 'wrong', found: [{ position: 2 }] });
  });

  it('exit with 1 and print the code when they are refused', async () => {
    const directory = await sample();
    const target = temporaryDirectory();
    rmSync(target, { recursive: true });
    expect((await cli(directory, 'backup', target)).status).toBe(0);
    const again = await cli(directory, 'backup', target);
    expect(again).toMatchObject({ status: 1, out: '', err: expect.stringMatching(/ \(not_empty\)\n?$/) });
    expect((await cli(directory, 'restore', target)).err).toMatch(/ \(not_empty\)\n?$/);
  });

  it('exit with 3 if there is no log, and create none', async () => {
    const directory = temporaryDirectory();
    expect(await cli(directory, 'verify')).toMatchObject({ status: 3, err: expect.stringContaining('no event log') });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('exit with 130 on Ctrl-C, and remove unfinished work', async () => {
    const directory = await sample(3000);
    const { child, ended } = start(directory, 'verify');
    const scratch = join(directory, `verify-${child.pid}`);
    while (!existsSync(scratch) && child.exitCode === null) await new Promise((done) => setTimeout(done, 2));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 130, out: '', err: 'stopped\n' });
    expect(existsSync(scratch)).toBe(false);
  });
});
