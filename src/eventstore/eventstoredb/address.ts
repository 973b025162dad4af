import { readFileSync } from 'node:fs';

const HOST = String.raw`(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?`;
const SHAPE = new RegExp(
  String.raw`^esdb(?:\+discover)?:\/\/(?:([^\s:/?@]+):([^\s/?@]+)@)?(${HOST}(?:,${HOST})*)\/?(?:\?(.*))?$`,
  'i',
);

const whole = /^\d{1,9}$/;
const anything = /^[^&?]+$/;
const OPTIONS: Readonly<Record<string, RegExp>> = {
  tls: /^(true|false)$/,
  tlscafile: anything,
  connectionname: anything,
  nodepreference: /^(leader|follower|random|read_?only_?replica)$/i,
  maxdiscoverattempts: whole,
  discoveryinterval: whole,
  gossiptimeout: whole,
  keepaliveinterval: whole,
  keepalivetimeout: whole,
};

/**
 * Returns what is wrong with the address of an event store, as the end of a sentence, or null. Checked before the client sees the
 * address, because its error messages about options contain the address with its password.
 */
export function addressFault(address: string): string | null {
  const [shape, user, password, hosts = '', query] = SHAPE.exec(address) ?? [];
  if (shape === undefined) return 'is not of the form esdb://user:password@host:2113,host:2113?option=value';
  if (!isEncoded(user) || !isEncoded(password)) return 'needs a % in user or password written as %25';
  if (hosts.split(',').some((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? 1) > 65_535)) return 'has a port over 65535';
  const options = new Map<string, string>();
  for (const pair of (query ?? '').split('&').filter((one) => one !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const known = name.toLowerCase().replace(/[_-]/g, '');
    const allowed = Object.hasOwn(OPTIONS, known) ? OPTIONS[known] : undefined;
    if (allowed === undefined) return `has an option that is not known here: ${/^\w+$/.test(name) ? name : '?'}`;
    if (!allowed.test(value)) return `has a wrong value for the option ${name}`;
    options.set(known, value);
  }
  // Without a user the client appends in another way, by calls that may never end.
  if (options.get('tls') !== 'false' && user === undefined) return 'needs user:password@ unless it says tls=false';
  return null;
}

function isEncoded(text = ''): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function credentialsIn(address: string): { readonly username: string; readonly password: string } | null {
  const [, user, password] = SHAPE.exec(address) ?? [];
  if (user === undefined || password === undefined) return null;
  return { username: decodeURIComponent(user), password: decodeURIComponent(password) };
}

/** Adds a short timeout for gossip to the address: a hanging server would delay the search for a leader. */
export function withShortGossip(address: string): string {
  const [, , , , query] = SHAPE.exec(address) ?? [];
  if (optionsIn(query ?? '').has('gossiptimeout')) return address;
  const base = (address.split('?', 1)[0] ?? '').replace(/\/$/, '');
  return `${base}/?${query === undefined || query === '' ? '' : `${query}&`}gossipTimeout=1`;
}

export interface EventStoreServer {
  readonly host: string;
  readonly port: number;
}

/** Returns the CA certificate of an address with TLS; undefined for an address without TLS. */
export function authorityOf(address: string): Buffer | null | undefined {
  const options = optionsIn(SHAPE.exec(address)?.[4] ?? '');
  if (options.get('tls') === 'false') return undefined;
  const file = options.get('tlscafile');
  return file === undefined ? null : readFileSync(decodeURIComponent(file));
}

export function serversIn(address: string): readonly EventStoreServer[] {
  const [, , , hosts = ''] = SHAPE.exec(address) ?? [];
  return hosts.split(',').map((one) => {
    const [, host = '', port = '2113'] = /^(.*?)(?::(\d+))?$/.exec(one) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
}

function optionsIn(query: string): ReadonlyMap<string, string> {
  const pairs = query.split('&').filter((one) => one !== '');
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [name.toLowerCase().replace(/[_-]/g, ''), value];
    }),
  );
}
