// Builds again whenever a hook says that posts have changed: `HOOK_SECRET=whsec_… npx node receive.ts <root> <folder> <port>`.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { build } from './build.ts';

const [root = 'http://localhost:8080/cms-json/', folder = 'public', port = '8090'] = process.argv.slice(2);
const key = Buffer.from((process.env['HOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64');
if (key.length === 0) throw new Error('HOOK_SECRET is the secret of the hook');

/** Seconds that a message may be old. */
const oldest = 300;

/** Standard Webhooks: a signature over id, time and body, of which there may be several. */
function isGenuine(headers: Readonly<Record<string, unknown>>, body: string): boolean {
  const [id, time, given] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < oldest)) return false;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
  return (given ?? '').split(' ').some((one) => {
    const signature = Buffer.from(one);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

let built = Promise.resolve(await build(root, folder));

createServer(async (request, response) => {
  const body = await text(request);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  // One after the other. A message that is not answered with success comes again.
  built = built.catch(() => 0).then(() => build(root, folder));
  const status = await built.then(() => 204).catch(() => 500);
  response.writeHead(status).end();
}).listen(Number(port), () => console.log(`builds ${folder} when port ${port} is told to`));
