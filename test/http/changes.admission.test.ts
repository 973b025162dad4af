import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eraseUser } from '#commands/erasure.ts';
import type { Session } from '#commands/session.ts';
import { changeTools } from '#commands/tools.ts';
import { endAccount, newPassword, setRole } from '#commands/users.ts';
import { userStream } from '#domain/user/state.ts';
import { buildApp } from '#http/app/app.ts';
import { hostOf } from '#http/app/host.ts';
import { admission, changesRoutes } from '#http/feed/routes.ts';
import { sourceOf } from '#http/feed/source.ts';
import { someOrder } from '../support/erasure-order.ts';
import { longCommits } from '../support/long-commits.ts';
import { admin } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { type Listener, listen } from '../support/sse.ts';

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

/** Starts a second server on the same store. */
async function otherServer() {
  const { store } = site.node;
  const app = buildApp({ host: hostOf(store), routes: changesRoutes(sourceOf(store)) });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { app, port: (app.server.address() as AddressInfo).port };
}

async function follow(as: As, port = site.port): Promise<Listener> {
  const authorization = site.authorization(as);
  const headers: Record<string, string> = authorization === '' ? {} : { authorization };
  const listener = await listen({ port, headers });
  onTestFinished(() => listener.drop());
  await listener.until(() => listener.lastId !== '');
  return listener;
}

const submit = (work: (session: Session) => unknown) => site.node.store.submit(admin, work);
const passwordsOff = (session: Session) =>
  changeTools(session, { disable_authentication_password: true }, { answersToBoth: false });
const post = (title: string) => site.make('editor', '/posts', { title, status: 'publish' });

/** The author of the site is user 3. */
const withdrawals: readonly (readonly [string, (session: Session) => unknown])[] = [
  ['his role changes', (session) => setRole(session, 'author', 'subscriber')],
  [
    'one of his passwords is withdrawn',
    (session) => {
      const password = session.user(3)?.passwords[0]?.id ?? '';
      session.stage(userStream(3), [{ type: 'UserPasswordRevoked', data: { id: 3, password } }]);
    },
  ],
  ['his account is erased', (session) => eraseUser(session, 'author', someOrder)],
  ['no application password is taken any more', passwordsOff],
];

describe('the feed of a user ends', () => {
  it.each(withdrawals)('when %s', async (_, withdraw) => {
    const listener = await follow('author');
    await submit(withdraw);
    await listener.end();
    expect(listener.messages).toEqual([]);
  });

  it.each(withdrawals)('even for a client that reads nothing, when %s', async (_, withdraw) => {
    const { app, port } = await otherServer();
    const sockets: Socket[] = [];
    app.server.on('connection', (socket) => sockets.push(socket));
    const listener = await follow('author', port);
    listener.stall();
    const change = longCommits(site);
    // Until the connection is full.
    while (!sockets.some(({ writableNeedDrain }) => writableNeedDrain)) await submit(change);
    await submit(withdraw);
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('when the last day of an auditor is over, and when it is set', async () => {
    await submit((session) => setRole(session, 'author', 'auditor'));
    await submit((session) => endAccount(session, 'author', '2026-03-01'));
    site.clock.now = Date.parse('2026-03-01T22:59:59.900Z');
    const listener = await follow('author');
    await listener.end();
    await submit((session) => endAccount(session, 'author', '2026-03-02'));
    const again = await follow('author');
    await submit((session) => endAccount(session, 'author', '2026-03-03'));
    await again.end();
  });

  it('when rights are withdrawn during a long poll', async () => {
    const { app, port } = await otherServer();
    const arrived = once(app.server, 'request');
    const headers = { authorization: site.authorization('author') };
    const waiting = fetch(`http://127.0.0.1:${port}/cms-json/cms/v2/changes?wait=30`, { headers });
    await arrived;
    const position = site.position();
    await submit(passwordsOff);
    expect(await (await waiting).json()).toEqual({ position, commits: [] });
  });

  it('when the rights cannot be checked because of a fault, which does not affect writes', async () => {
    const source = sourceOf(site.node.store);
    let fails = false;
    const model: typeof source.model = () => {
      if (fails) throw new Error('the disk is broken');
      return source.model();
    };
    const signal = admission({ id: 3, role: 'author' }, { ...source, model }, new AbortController().signal);
    await post('Before');
    expect(signal.aborted).toBe(false);
    fails = true;
    await post('After');
    expect(signal.aborted).toBe(true);
  });

  it('when an administrator disables passwords, for all users', async () => {
    const listeners = await Promise.all((['administrator', 'editor', 'subscriber'] as const).map((as) => follow(as)));
    const path = '/cms-json/host-tools-plugin/v1/update-settings';
    const { status } = await site.call('administrator', `POST ${path}`, { disable_authentication_password: true });
    expect(status).toBe(200);
    for (const listener of listeners) await listener.end();
  });
});

describe('the feed of a user continues', () => {
  it('when they get another password, and when other users change', async () => {
    const listener = await follow('author');
    await submit((session) => newPassword(session, 'author'));
    await submit((session) => setRole(session, 'editor', 'administrator'));
    await post('Still there');
    await listener.reaches(site.position());
    expect(listener.messages).toHaveLength(1);
  });

  it('when they are anonymous, whatever happens to passwords', async () => {
    const listener = await follow('anonymous');
    await post('Before');
    await submit(passwordsOff);
    await submit((session) =>
      changeTools(session, { disable_authentication_password: false }, { answersToBoth: false }),
    );
    await post('After');
    await listener.reaches(site.position());
    expect(listener.messages).toHaveLength(2);
  });
});
