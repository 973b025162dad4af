import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticate } from '#commands/credentials.ts';
import type { Node } from '#node/node.ts';
import { openNode } from '#ops/open-node.ts';
import type { Outcome } from '#ops/outcome.ts';
import { type Perform, performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import { readConfig } from '../../src/config.ts';

let folder = '';
let node: Node;
let perform: Perform;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verbs-'));
  node = await openNode(readConfig({ DATA_DIR: folder }));
  perform = performOn(node.store, verbs, (error) => expect.unreachable(String(error)));
});

afterEach(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function value(verb: string, args: unknown): Promise<Record<string, unknown>> {
  const outcome: Outcome = await perform(verb, args);
  expect(outcome.kind).toBe('done');
  return (outcome as { value: Record<string, unknown> }).value;
}

function viewerOf({ username, password }: Record<string, unknown>) {
  const viewer = authenticate(node.store.reader, String(username), String(password));
  return viewer && { id: viewer.id, role: viewer.role };
}

describe('user commands', () => {
  it('add an account with a valid password', async () => {
    const made = await value('user add', { login: 'ada', role: 'editor' });
    expect(made).toEqual({ id: 1, username: 'ada', password: expect.any(String) });
    expect(viewerOf(made)).toEqual({ id: 1, role: 'editor' });
  });

  it('number accounts in order of creation', async () => {
    const logins = ['admin', 'editor', 'author'];
    for (const [i, login] of logins.entries()) {
      expect(await value('user add', { login, role: 'author' })).toMatchObject({ id: i + 1, username: login });
    }
  });

  it('refuse a login that is taken, and append nothing', async () => {
    await value('user add', { login: 'ada', role: 'editor' });
    const { position } = node.log.head();
    expect(await perform('user add', { login: 'ada', role: 'author' })).toMatchObject({
      kind: 'refused',
      code: 'existing_user_login',
    });
    expect(node.log.head().position).toBe(position);
  });

  it('refuse an unknown login', async () => {
    for (const verb of ['user password', 'user role']) {
      const args = verb === 'user role' ? { login: 'nobody', role: 'author' } : { login: 'nobody' };
      expect(await perform(verb, args)).toMatchObject({ kind: 'refused', code: 'invalid_username' });
    }
  });

  it('list accounts without secrets', async () => {
    await value('user add', { login: 'ada', role: 'editor', name: 'Ada Lovelace', email: 'ada@example.org' });
    const list = await value('user list', {});
    expect(list).toEqual([
      expect.objectContaining({
        id: 1,
        username: 'ada',
        name: 'Ada Lovelace',
        roles: ['editor'],
        email: 'ada@example.org',
      }),
    ]);
    expect(JSON.stringify(list)).not.toMatch(/digest|[0-9a-f]{40}/);
  });

  it('add a second password beside the first', async () => {
    const made = await value('user add', { login: 'ada', role: 'editor' });
    const second = await value('user password', { login: 'ada' });
    expect(second['password']).not.toBe(made['password']);
    expect([viewerOf(made), viewerOf(second)]).toEqual([
      { id: 1, role: 'editor' },
      { id: 1, role: 'editor' },
    ]);
  });

  it('list the passwords of an account, and revoke one or all of them', async () => {
    const made = await value('user add', { login: 'ada', role: 'editor' });
    const second = await value('user password', { login: 'ada' });
    const list = (await value('user passwords', { login: 'ada' })) as unknown as { uuid: string }[];
    expect(list).toEqual([
      expect.objectContaining({ name: 'Password 1', created: expect.any(String), lastUsed: '' }),
      expect.objectContaining({ name: 'Password 2' }),
    ]);
    expect(JSON.stringify(list)).not.toMatch(/digest|[0-9a-f]{40}/);
    await value('user revoke', { login: 'ada', uuid: [list[0]?.uuid] });
    expect([viewerOf(made), viewerOf(second)]).toEqual([null, { id: 1, role: 'editor' }]);
    const refused = { kind: 'refused', code: 'password_not_found' };
    expect(await perform('user revoke', { login: 'ada', uuid: [list[0]?.uuid] })).toMatchObject(refused);
    expect(await perform('user revoke', { login: 'ada', uuid: [] })).toMatchObject({ code: 'password_not_named' });
    await value('user revoke', { login: 'ada', uuid: [], all: true });
    expect(viewerOf(second)).toBeNull();
  });

  it('disable and enable an account, but not the last administrator', async () => {
    const made = await value('user add', { login: 'ada', role: 'editor' });
    await value('user disable', { login: 'ada' });
    expect(viewerOf(made)).toBeNull();
    await value('user enable', { login: 'ada' });
    expect(viewerOf(made)).toEqual({ id: 1, role: 'editor' });
    await value('user add', { login: 'root', role: 'administrator' });
    expect(await perform('user disable', { login: 'root' })).toMatchObject({
      kind: 'refused',
      code: 'last_administrator',
    });
  });

  it('give an auditor a last day, and nobody else', async () => {
    const made = await value('user add', { login: 'hilda', role: 'auditor', until: '2020-12-31' });
    expect(viewerOf(made)).toBeNull();
    expect(await value('user until', { login: 'hilda', day: 'never' })).toMatchObject({ until: '' });
    expect(viewerOf(made)).toEqual({ id: 1, role: 'auditor' });
    expect(await value('user until', { login: 'hilda', day: '2099-12-31' })).toMatchObject({ until: '2099-12-31' });
    expect(viewerOf(made)).toEqual({ id: 1, role: 'auditor' });
    const { position } = node.log.head();
    const refused = { kind: 'refused', code: 'user_no_auditor' };
    expect(await perform('user add', { login: 'ada', role: 'editor', until: '2026-12-31' })).toMatchObject(refused);
    expect(await perform('user add', { login: 'ada', role: 'auditor', until: '2026-02-30' })).toMatchObject({
      kind: 'usage',
    });
    expect(node.log.head().position).toBe(position);
  });

  it('change the role, which applies at once; the same role again appends nothing', async () => {
    const made = await value('user add', { login: 'ada', role: 'editor' });
    await value('user role', { login: 'ada', role: 'administrator' });
    expect(viewerOf(made)).toEqual({ id: 1, role: 'administrator' });
    const { position } = node.log.head();
    await value('user role', { login: 'ada', role: 'administrator' });
    expect(node.log.head().position).toBe(position);
  });

  it.each([
    ['user add', { login: 'ada' }],
    ['user add', { login: 'ada', role: 'emperor' }],
    ['user add', { login: '', role: 'editor' }],
    ['user add', { login: 'ada', role: 'editor', shoe: '42' }],
    ['user role', { login: 'ada', role: 'emperor' }],
    ['user remove', { login: 'ada' }],
  ])('reject %s %j as wrong usage', async (verb, args) => {
    expect(await perform(verb, args)).toMatchObject({ kind: 'usage' });
  });
});
