import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commit, event } from '../support/commits.ts';
import { carryOut } from '../support/place.ts';
import { appendTo, directoryWith } from '../support/plain-log.ts';
import { openSigning } from '../support/signing.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const openssl = (...args: string[]) => promisify(execFile)('openssl', args);
const isThere = spawnSync('openssl', ['version']).status === 0;

const configuration = (folder: string) => `
[ req ]
distinguished_name = name
prompt = no
x509_extensions = stamping
[ name ]
CN = Time of the tests
[ stamping ]
extendedKeyUsage = critical, timeStamping
[ tsa ]
default_tsa = own
[ own ]
serial = ${folder}/serial
crypto_device = builtin
signer_cert = ${folder}/authority.pem
signer_key = ${folder}/authority.key
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
`;

/** An authority of one's own. Returns its address and its certificate. */
async function startAuthority() {
  const folder = temporaryDirectory();
  const [config, certificate, key] = ['openssl.cnf', 'authority.pem', 'authority.key'].map((name) =>
    join(folder, name),
  );
  writeFileSync(config!, configuration(folder));
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key!, '-out', certificate!];
  await openssl('req', '-x509', '-config', config!, ...made);
  const server = createServer(async (request, response) => {
    const [query, reply] = [join(folder, 'query'), join(folder, 'reply')];
    writeFileSync(query, Buffer.concat(await Array.fromAsync(request)));
    await openssl('ts', '-reply', '-config', config!, '-queryfile', query, '-out', reply);
    response.setHeader('content-type', 'application/timestamp-reply').end(readFileSync(reply));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, certificate: certificate! };
}

const some = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => commit([event(`note-${from + i}`, { type: 'Noted', data: '{}' })]));

describe.skipIf(!isThere)('a time-stamping authority (left out without openssl)', () => {
  it('states when each checkpoint existed, which verify and openssl check with its certificate', async () => {
    const directory = await directoryWith(...some(1, 3));
    const { address, certificate } = await startAuthority();
    const stamp = async () => {
      const opened = openSigning(directory, [], address);
      opened.checkpoints.make();
      await opened.publish();
      opened.close();
      return opened.checkpoints.latest?.note ?? '';
    };
    await stamp();
    await appendTo(directory, ...some(4, 2));
    const note = await stamp();
    expect(readdirSync(join(directory, 'timestamps'))).toEqual(['000000000003.tsr', '000000000005.tsr']);

    const stamped = join(directory, 'timestamps', '000000000005.tsr');
    const text = join(temporaryDirectory(), 'text');
    writeFileSync(text, note.slice(0, note.indexOf('\n\n') + 1));
    const { stdout } = await openssl('ts', '-verify', '-data', text, '-in', stamped, '-CAfile', certificate);
    expect(stdout).toContain('OK');

    const verify = async (args: Record<string, string> = {}) => {
      const { value } = (await carryOut(directory, 'verify', { quick: true, ...args })) as { value?: unknown };
      const { checks } = value as { checks: { check: string; result: string; of: string; faults: number }[] };
      return checks.find(({ check }) => check === 'timestamps');
    };
    expect(await verify()).toMatchObject({ result: 'skipped' });
    expect(await verify({ authority: certificate })).toMatchObject({
      result: 'ok',
      of: expect.stringMatching(/^2 timestamps by CN=Time of the tests, the newest at \d{4}-/),
    });
    const other = await startAuthority();
    expect(await verify({ authority: other.certificate })).toMatchObject({ result: 'wrong', faults: 2 });
    const bytes = readFileSync(stamped);
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
    writeFileSync(stamped, bytes);
    expect(await verify({ authority: certificate })).toMatchObject({ result: 'wrong', faults: 1 });
    writeFileSync(stamped, 'no timestamp');
    expect(await verify({ authority: certificate })).toMatchObject({ result: 'wrong', faults: 1 });
  });

  it('that gives none is asked again', async () => {
    const directory = await directoryWith(...some(1, 3));
    const { address } = await startAuthority();
    const refusing = createServer((_, response) => response.end(Buffer.from('30053003020102', 'hex'))).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void refusing.close());
    await once(refusing, 'listening');
    const opened = openSigning(directory, [], `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/`);
    opened.checkpoints.make();
    await opened.publish();
    opened.close();
    const again = openSigning(directory, [], address);
    onTestFinished(again.close);
    await again.publish();
    expect(readdirSync(join(directory, 'timestamps'))).toEqual(['000000000003.tsr']);
    rmSync(join(directory, 'timestamps'), { recursive: true });
  });
});
