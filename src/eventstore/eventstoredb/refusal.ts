import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { authorityOf, type EventStoreServer, serversIn } from './address.ts';
import { faultType } from './faults.ts';

/** gRPC status codes. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
/** Milliseconds for a server to present its certificate. */
const PATIENCE = 2000;

const UNTRUSTED = /self.signed|unable to (verify|get)|certificate signature|UNABLE_TO|SELF_SIGNED/i;
const WRONG_NAME = /altname/i;
const EXPIRED = /expired|not yet valid/i;

/**
 * Returns in one sentence why server and node do not accept each other: an account, or a certificate. Returns null for other errors,
 * which may be temporary.
 */
export async function refusalIn(
  error: unknown,
  url: string,
  { met }: { readonly met: boolean },
): Promise<string | null> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === UNAUTHENTICATED) return 'The event store does not accept the user and password of EVENTSTORE_URL';
  if (code === PERMISSION_DENIED || faultType(error) === 'access-denied')
    return 'The event store does not allow the user of EVENTSTORE_URL to read and write the streams of the site';
  const authority = authorityOf(url);
  if (authority === undefined) return met ? null : firstOf(serversIn(url).map(secured));
  // The search for a leader among several servers does not report why they failed, so each certificate is checked.
  return firstOf(serversIn(url).map((server) => certificateFault(server, authority)));
}

/** Returns why Node prints `DEP0123` and how to avoid it; null if it does not apply. */
export function addressWarning(url: string): string | null {
  const addresses = (authorityOf(url) === undefined ? [] : serversIn(url))
    .map(({ host }) => host)
    .filter((host) => isIP(host) > 0);
  if (addresses.length === 0) return null;
  return (
    `EVENTSTORE_URL has tls=true and the address ${addresses[0]}: Node warns of that (DEP0123). Write the name of the ` +
    'server instead, one that its certificate has'
  );
}

async function firstOf(faults: readonly Promise<string | null>[]): Promise<string | null> {
  return (await Promise.all(faults)).find((fault) => fault !== null) ?? null;
}

/** Any answer to the greeting of TLS, also a certificate that is not trusted, is one in TLS. */
async function secured(server: EventStoreServer): Promise<string | null> {
  const { host, port } = server;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.setTimeout(PATIENCE, () => resolve(false));
  const isSecured = await promise.finally(() => socket.destroy());
  return isSecured ? `The event store at ${host}:${port} takes only TLS, but EVENTSTORE_URL has tls=false` : null;
}

function certificateFault({ host, port }: EventStoreServer, authority: Buffer | null): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const name = isIP(host) > 0 ? {} : { servername: host };
  const trusted = authority === null ? {} : { ca: authority };
  const socket = connect({ host, port, ...name, ...trusted, ALPNProtocols: ['h2'] }, () => resolve(null));
  socket.on('error', (error) => resolve(sentenceFor(error, `${host}:${port}`)));
  socket.setTimeout(PATIENCE, () => resolve(null));
  return promise.finally(() => socket.destroy());
}

function sentenceFor(error: Error, server: string): string | null {
  const text = `${'code' in error ? error.code : ''} ${error.message}`;
  const begin = `The certificate of the event store at ${server}`;
  if (WRONG_NAME.test(text)) return `${begin} is for other names than the one in EVENTSTORE_URL`;
  if (EXPIRED.test(text)) return `${begin} is out of date: ${error.message}`;
  if (UNTRUSTED.test(text))
    return `${begin} is not from an authority that this node trusts: set tlsCAFile in EVENTSTORE_URL`;
  return null;
}
