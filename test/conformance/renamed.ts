import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { InterfaceNames } from '#domain/site/interface-names.ts';

/** Names without a word of the usual ones. */
export const otherNames: InterfaceNames = {
  root: 'renamed/root',
  namespaces: {
    'cms/v2': 'content/v9',
    'cms-site-health/v1': 'wellbeing/v3',
    'cms-block-editor/v1': 'editing/v4',
  },
  headers: 'X-Renamed',
  relations: { prefix: 'ren', address: 'https://names.example/{rel}', index: 'https://names.example/start' },
};

/** Pairs of a usual and a different name; the longest first, because some are prefixes of others. */
const pairs: readonly (readonly [string, string])[] = [
  ['https://rels.palimpsest.example/index', otherNames.relations.index],
  ['https://rels.palimpsest.example', 'https://names.example'],
  ['cms-json', otherNames.root],
  ...Object.entries(otherNames.namespaces),
  ['X-CMS-', `${otherNames.headers}-`],
  ['x-cms-', `${otherNames.headers.toLowerCase()}-`],
  ['cms:', `${otherNames.relations.prefix}:`],
  ['"name":"cms"', `"name":"${otherNames.relations.prefix}"`],
];

const escaped = (text: string): string => text.replaceAll('/', '\\/');

function replaced(text: string, from: 0 | 1): string {
  const to = from === 0 ? 1 : 0;
  return pairs.reduce((all, pair) => {
    const plain = all.replaceAll(pair[from], pair[to]);
    const [old, encoded] = [pair[from], pair[to]].map(encodeURIComponent) as [string, string];
    return plain.replaceAll(old, encoded).replaceAll(escaped(pair[from]), escaped(pair[to]));
  }, text);
}

/** The first usual name found in a response. */
function leftIn(text: string): string | undefined {
  return pairs.map(([usual]) => usual).find((usual) => text.includes(usual));
}

/**
 * A proxy between a client that uses the usual names and a server that uses different ones. A response that still
 * contains a usual name becomes a 599, so that its scenario fails.
 */
export function translate(port: number): Server {
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(incoming));
    const isText = /json|urlencoded/.test(incoming.headers['content-type'] ?? '');
    const sent = isText ? Buffer.from(replaced(body.toString('utf8'), 0)) : body;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [replaced(name, 0), value]),
    );
    delete headers['transfer-encoding'];
    delete headers['accept-encoding'];
    const head = { ...headers, ...(body.length === 0 ? {} : { 'content-length': String(sent.length) }) };
    const { method, url = '/' } = incoming;
    const onward = request(
      { host: '127.0.0.1', port, method, path: replaced(url, 0), headers: head },
      async (answer) => {
        const bytes = Buffer.concat(await Array.fromAsync(answer));
        const isReadable = /json|javascript|html|xml/.test(answer.headers['content-type'] ?? '');
        const text = isReadable ? bytes.toString('utf8') : '';
        const flat = answer.rawHeaders.map((part) => replaced(part, 1));
        const left = leftIn([...answer.rawHeaders, text].join('\n'));
        const content = isReadable ? Buffer.from(replaced(text, 1)) : bytes;
        const own = flat.flatMap((name, i) => (i % 2 === 0 && !isLength(name) ? [name, flat[i + 1] ?? ''] : []));
        const length = method === 'HEAD' ? [] : ['Content-Length', String(content.length)];
        outgoing.writeHead(
          left === undefined ? (answer.statusCode ?? 500) : 599,
          left === undefined ? '' : `has ${left}`,
          [...own, ...length],
        );
        outgoing.end(method === 'HEAD' ? undefined : content);
      },
    );
    onward.on('error', () => outgoing.destroy());
    onward.end(sent);
  };
  return createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
}

function isLength(name: string): boolean {
  return ['content-length', 'transfer-encoding'].includes(name.toLowerCase());
}
