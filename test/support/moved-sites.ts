import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { InterfaceNames } from '#domain/site/interface-names.ts';
import { controlPath, listenControl } from '#ops/control.ts';
import { eraseControls } from '#ops/erase-orders.ts';
import { migrationControls } from '#ops/migrate/controls.ts';
import { performOn } from '#ops/perform.ts';
import { undoControls } from '#ops/undo.ts';
import { verbs } from '#ops/verbs.ts';
import { freePort } from './free-port.ts';
import { type As, type Site, startSite } from './site.ts';
import { temporaryDirectory } from './temporary.ts';
import { typeVerb } from './verbs.ts';

/** A site that is reached at the address that it believes to have, as a live source has to be. */
export interface ReachedSite {
  readonly site: Site;
  readonly address: string;
  readonly names: Pick<InterfaceNames, 'root' | 'namespaces'>;
}

const usualNames = { root: 'cms-json', namespaces: {} };

interface Starting {
  /** Port of its address; default: any. */
  readonly port?: number;
  readonly names?: Partial<InterfaceNames>;
  readonly directory?: string;
  readonly users?: ReadonlyMap<As, string>;
}

export async function startReached(starting: Starting = {}): Promise<ReachedSite> {
  const { names = {}, directory, users, port = await freePort() } = starting;
  const address = `http://127.0.0.1:${port}`;
  const env = {
    SITE_URL: address,
    MENU_LOCATIONS: 'header=The head',
    ...(Object.keys(names).length > 0 && { INTERFACE_NAMES: JSON.stringify(names) }),
  };
  const site = await startSite({ env, ...(directory && { directory }), ...(users && { users }) });
  const proxy = createServer((one) => {
    const other = connect(site.port, '127.0.0.1');
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((done) => void proxy.listen(port, '127.0.0.1', done));
  onTestFinished(async () => {
    proxy.close();
    await site.close();
  });
  return { site, address, names: { ...usualNames, ...names } };
}

/** Lets verbs reach a site that runs in this process, as they reach a server. */
export async function listenFor(site: Site): Promise<void> {
  const faults: unknown[] = [];
  const perform = performOn(
    site.node.store,
    [...verbs, ...migrationControls, ...undoControls, ...eraseControls],
    (error) => faults.push(error),
  );
  const control = await listenControl(controlPath(site.directory), perform);
  onTestFinished(async () => {
    await control.close();
    if (faults.length > 0) throw faults[0];
  });
}

/** A data directory with an account and nothing else. */
export async function emptyTarget(login = 'administrator') {
  const directory = temporaryDirectory();
  const port = await freePort();
  const env = {
    SITE_URL: `http://127.0.0.1:${port}`,
    MENU_LOCATIONS: 'header=The head',
    SITE_TIMEZONE: 'Europe/Berlin',
  };
  const type = (...args: readonly string[]) => typeVerb(directory, args, env);
  const added = await type('user', 'add', login, '--role', 'administrator', '--json');
  const { password } = JSON.parse(added.out);
  const users = new Map<As, string>([['administrator', `Basic ${btoa(`${login}:${password}`)}`]]);
  return { directory, users, port, type };
}

/** Arguments and settings that name a live site as a source. */
export function liveSource({ site, address }: ReachedSite, as: As = 'administrator') {
  if (as === 'anonymous') return { args: [address], env: {} };
  const [user = '', password = ''] = atob(site.authorization(as).slice('Basic '.length)).split(':');
  process.env['MIGRATE_PASSWORD'] = password;
  return { args: [address, '--user', user], env: { MIGRATE_PASSWORD: password } };
}
