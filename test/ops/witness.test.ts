import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointText } from '#tlog/checkpoint.ts';
import { cosignerOf, verifiedCosignatures } from '#tlog/cosignature.ts';
import { COSIGNATURE, encodeVerifier, newSigner, parseNote, parseSigner, parseVkey, signNote } from '#tlog/note.ts';
import { parsePolicy } from '#tlog/policy.ts';
import { freePort } from '../support/free-port.ts';
import { type StartedServer, startServer } from '../support/server.ts';
import { typeVerb } from '../support/verbs.ts';

interface Place {
  readonly directory: string;
  readonly address: string;
  readonly authorization: string;
  readonly env: Record<string, string>;
  server: StartedServer;
}

let one: Place;
let two: Place;

async function open(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  const port = String(await freePort());
  const env = { PORT: port, SITE_URL: `http://127.0.0.1:${port}`, CHECKPOINT_EVERY: '3600' };
  const server = await startServer(directory, undefined, env);
  const authorization = `Basic ${Buffer.from(`admin:${server.password}`).toString('base64')}`;
  return { directory, address: env.SITE_URL, authorization, env, server };
}

const verb = async ({ directory, env }: Place, ...args: string[]) => {
  const { status, out, err } = await typeVerb(directory, [...args, '--json'], env);
  return { status, err, value: out === '' ? null : JSON.parse(out) };
};
const at = ({ address }: Place, path: string) => fetch(`${address}/cms-json/tlog/${path}`);
const textAt = async (place: Place, path: string) => (await at(place, path)).text();
const submit = (place: Place, body: string) =>
  fetch(`${place.address}/cms-json/tlog/add-checkpoint`, { method: 'POST', body });
async function edit({ address, authorization }: Place): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'One more', status: 'publish' });
  const { status } = await fetch(`${address}/cms-json/cms/v2/posts`, { method: 'POST', headers, body });
  expect(status).toBe(201);
}

beforeAll(async () => {
  [one, two] = await Promise.all([open(), open()]);
});
afterAll(async () => {
  for (const { server, directory } of [one, two]) {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
});

describe('two sites that witness each other', () => {
  it('exchange their keys, and cosign what each has signed', async () => {
    for (const [own, other] of [[one, two] as const, [two, one] as const]) {
      const added = await verb(own, 'witness', 'add', other.address, '--organisation', 'the-other');
      expect(added.value).toMatchObject({ organisation: 'the-other', log: (await textAt(other, 'log.vkey')).trim() });
    }
    const made = await verb(one, 'checkpoint', 'make');
    expect(made.value).toMatchObject({ missing: '' });
    const note = parseNote(await textAt(one, 'checkpoint'));
    const witness = parseVkey(await textAt(two, 'witness.vkey'));
    expect(verifiedCosignatures(note, [witness])).toHaveLength(1);
    const [listed] = (await verb(two, 'witness', 'list')).value;
    expect(listed.weCosigned).toContain(`${note.text.split('\n')[1]} events at `);
  });

  it('go on from checkpoint to checkpoint, also after a restart, and after a witness has missed some', async () => {
    for (let round = 0; round < 3; round++) {
      await edit(one);
      if (round === 1) await two.server.stop();
      const { value } = await verb(one, 'checkpoint', 'make');
      expect(value.missing).toEqual(round === 1 ? expect.stringContaining('cannot be reached') : '');
      if (round === 1) two.server = await startServer(two.directory, undefined, two.env);
    }
  });

  it('refuse another history under the same key, and remember across a restart what they have seen', async () => {
    const [secret = ''] = readFileSync(join(one.directory, 'checkpoint.key'), 'utf8').split('\n');
    const key = parseSigner(secret);
    const size = Number((await textAt(one, 'checkpoint')).split('\n')[1]);
    const forged = (of: number) =>
      signNote(checkpointText({ origin: key.name, size: of, root: Buffer.alloc(32, 7) }), [key]);
    const same = await submit(two, `old ${size}\n\n${forged(size)}`);
    expect([same.status, same.headers.get('content-type'), await same.text()]).toEqual([
      409,
      'text/x.tlog.size',
      `${size}\n`,
    ]);
    expect((await submit(two, `old ${size}\n\n${forged(size + 5)}`)).status).toBe(422);
    expect((await submit(two, `old 0\n\n${forged(3)}`)).status).toBe(409);
    const unknown = newSigner('elsewhere.example');
    expect(
      (
        await submit(
          two,
          `old 0\n\n${signNote('elsewhere.example\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n', [unknown])}`,
        )
      ).status,
    ).toBe(404);
    const impostor = newSigner(key.name);
    expect(
      (await submit(two, `old ${size}\n\n${signNote(`${forged(size).split('\n\n')[0]}\n`, [impostor])}`)).status,
    ).toBe(403);
    for (const body of ['', 'old', '\n\n\n', 'x'.repeat(70_000)]) {
      expect((await submit(two, body)).status).toBe(body.length > 65_536 ? 413 : 400);
    }
  });

  it('replace their keys: the old one names the new one, and the others follow', async () => {
    const before = (await textAt(one, 'log.vkey')).trim();
    const rotated = await verb(one, 'checkpoint', 'rotate-key');
    expect(rotated.value.key).not.toBe(before);
    await edit(one);
    expect((await verb(one, 'checkpoint', 'make')).value.missing).toContain('403');
    const followed = await verb(two, 'witness', 'follow', 'the-other');
    expect(followed.value[0].log).toBe(rotated.value.key);
    expect((await verb(one, 'checkpoint', 'make')).value.missing).toBe('');
    const verified = await typeVerb(one.directory, ['verify', '--quick'], one.env);
    expect([verified.status, verified.out]).toEqual([0, expect.stringContaining('checkpoints')]);
  });

  it('say whose signatures count', async () => {
    const { out, status } = await typeVerb(one.directory, ['witness', 'policy'], one.env);
    const { logs, witnesses, quorum } = parsePolicy(Buffer.from(out));
    expect([status, logs.length, [...witnesses.keys()], quorum]).toEqual([0, 2, ['the-other/1'], 'organisations']);
    expect((await typeVerb(one.directory, ['witness', 'policy', '--quorum', '2'], one.env)).status).toBe(1);
  });

  it('are forgotten', async () => {
    expect((await verb(two, 'witness', 'remove', 'the-other')).value).toMatchObject({ removed: 'the-other' });
    expect((await verb(two, 'witness', 'remove', 'the-other')).status).toBe(1);
    await edit(one);
    expect((await verb(one, 'checkpoint', 'make')).value.missing).toContain('404');
    // Who comes back has to continue what was seen.
    await verb(two, 'witness', 'add', one.address, '--organisation', 'again');
    expect((await submit(two, `old 0\n\n${await textAt(one, 'checkpoint')}`)).status).toBe(409);
    expect((await verb(one, 'checkpoint', 'make')).value.missing).toBe('');
  });
});

describe('a witness that lies', () => {
  it('is not believed', async () => {
    const other = newSigner('liar.example');
    const liar = createServer((_, response) => response.end('— liar.example AAAAAAAA\n')).listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const port = (liar.address() as AddressInfo).port;
    const vkey = encodeVerifier(cosignerOf(other), COSIGNATURE);
    const added = await verb(
      one,
      'witness',
      'add',
      `http://127.0.0.1:${port}/prefix`,
      '--key',
      vkey,
      '--organisation',
      'liar',
    );
    expect(added.value).toMatchObject({ organisation: 'liar', log: '' });
    await edit(one);
    expect((await verb(one, 'checkpoint', 'make')).value.missing).toContain('liar: ');
    liar.close();
  });
});
