// Tells a network what to forget when a hook says that something has changed:
// HOOK_SECRET=whsec_… PURGE_URL=… PURGE_HEADERS='{"Fastly-Key": "…"}' npx node purge.ts fastly 8090
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const [network = '', port = '8090'] = process.argv.slice(2);
const address = process.env['PURGE_URL'] ?? '';
const own = headersIn(process.env['PURGE_HEADERS'] ?? '{}');
const key = Buffer.from((process.env['HOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64');

/** How networks are told to forget what has some tags. */
const requests: Readonly<Record<string, (tags: readonly string[]) => RequestInit>> = {
  fastly: (tags) => ({ method: 'POST', headers: { 'Surrogate-Key': tags.join(' ') } }),
  cloudflare: (tags) => json({ tags }),
  varnish: (tags) => ({ method: 'PURGE', headers: { 'xkey-purge': tags.join(' ') } }),
};

const request = requests[network];
if (request === undefined || address === '' || key.length === 0 || own === null) {
  const networks = Object.keys(requests).join(', ');
  console.error(`Name a network (${networks}), set PURGE_URL and HOOK_SECRET, and PURGE_HEADERS, if at all, as JSON.`);
  process.exit(2);
}

function headersIn(text: string): Record<string, string> | null {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return null;
  }
}

function json(body: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Standard Webhooks: a signature over id, time and body, of which there may be several. */
function isGenuine(headers: Readonly<Record<string, unknown>>, body: string): boolean {
  const [id, time, given] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`);
  return (given ?? '').split(' ').some((one) => {
    const signature = Buffer.from(one);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

createServer(async (incoming, response) => {
  const body = await text(incoming);
  if (!isGenuine(incoming.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const { tags = [] } = (JSON.parse(body) as { data: { tags?: string[] } }).data;
  const asked = request(tags);
  const headers = { ...(asked.headers as Record<string, string>), ...own };
  const answer = await fetch(address, { ...asked, headers }).catch(() => null);
  // A message that is not answered with success comes again, in order.
  response.writeHead(answer?.ok === true ? 204 : 502).end();
}).listen(Number(port), '127.0.0.1', () => console.log(`purges ${network} when port ${port} is told to`));
