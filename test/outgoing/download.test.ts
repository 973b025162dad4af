import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { DownloadFailed, download } from '#outgoing/download.ts';

/** A server on loopback, which is no public address; its host with the port. */
async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { signal } = new AbortController();
const options = (...trusted: string[]) => ({
  trusted: new Set(trusted),
  authorization: { origin: `http://${trusted[0]}`, value: 'Basic eDp5' },
  signal,
});

async function text(address: string, how: Parameters<typeof download>[1]): Promise<string> {
  return Buffer.concat(await Array.fromAsync(await download(address, how))).toString();
}

it('fetches from a host that the operator named, with the password', async () => {
  const host = await serverOf((request, response) => response.end(request.headers.authorization));
  expect(await text(`http://${host}/a`, options(host))).toBe('Basic eDp5');
});

it('says the password to no other scheme or host, also when the operator named that', async () => {
  const host = await serverOf((request, response) => response.end(request.headers.authorization ?? 'none'));
  for (const origin of [`https://${host}`, 'http://old.example']) {
    const authorization = { origin, value: 'Basic eDp5' };
    expect(await text(`http://${host}/a`, { ...options(host), authorization })).toBe('none');
  }
});

it.each(['http://127.0.0.1/a', 'http://10.0.0.1/a', 'http://[::1]/a', 'file:///etc/hostname', 'nothing'])(
  'does not reach %s, which nobody named',
  async (address) => {
    await expect(text(address, options('old.example'))).rejects.toThrow(DownloadFailed);
  },
);

it('does not follow a named host to an address that is not public', async () => {
  const secret = await serverOf((_, response) => response.end('secret'));
  const host = await serverOf((_, response) => response.writeHead(302, { Location: `http://${secret}/` }).end());
  await expect(text(`http://${host}/a`, options(host))).rejects.toThrow('not public');
});

it('asks again when a server is busy, and gives up when it has nothing', async () => {
  let asked = 0;
  const host = await serverOf((request, response) => {
    asked += 1;
    if (request.url === '/none') response.writeHead(404).end();
    else if (asked === 1) response.writeHead(429, { 'Retry-After': '0' }).end();
    else response.end('at last');
  });
  expect(await text(`http://${host}/a`, options(host))).toBe('at last');
  await expect(text(`http://${host}/none`, options(host))).rejects.toThrow('answered 404');
});
