import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { callControl, controlPath } from '#ops/control.ts';
import { startReceiver } from '../support/hooks.ts';
import { found } from '../support/patience.ts';
import { serverProcess } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a server delivers commits from before it was killed, and commands list, test and replay hooks', async () => {
  const receiver = await startReceiver();
  const env = { WEBHOOK_NETWORKS: '127.0.0.0/8', METRICS_PORT: '' };
  const server = await serverProcess(temporaryDirectory(), env);
  onTestFinished(async () => {
    await server.kill();
    await receiver.close();
  });
  await server.start();
  while (!server.output().includes('password')) await wait(20);
  const password = /password\s+(.{29})/.exec(server.output())?.[1] ?? '';
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const post = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/cms-json${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { id: number; secret: string };
  };
  const verb = async (name: string, args: object = {}) => callControl(controlPath(server.directory), name, args);

  const { id, secret } = await post('/webhooks/v1/hooks', { address: receiver.url, resources: ['posts'] });
  expect(await verb('hooks test', { hook: String(id) })).toMatchObject({ kind: 'done', value: { status: 204 } });
  receiver.answer = () => null;
  const made = [await post('/cms/v2/posts', { title: 'One', status: 'publish' })];
  while (!JSON.stringify(await verb('hooks list')).includes('"failing"')) await wait(20);
  const ready = await (await fetch(`${server.url}/health/ready`)).json();
  expect(ready).toMatchObject({ status: 'ready', warnings: [{ code: 'webhooks_fail' }] });
  made.push(await post('/cms/v2/posts', { title: 'Two', status: 'publish' }));
  await server.kill();
  receiver.answer = () => 200;
  await server.start();
  await found(() => receiver.told().length === 2);
  expect(receiver.told()).toEqual(made.map((one) => `posts ${one.id} published`));
  const { text, headers } = receiver.received.at(-1) ?? {};
  expect(new Webhook(secret).verify(text ?? '', headers as Record<string, string>)).toMatchObject({
    type: 'site.changed',
  });
  expect(await verb('hooks replay', { hook: String(id), from: '1' })).toMatchObject({ value: { position: 0 } });
  await found(() => receiver.told().length === 4);
  expect(await verb('hooks enable', { hook: '7' })).toMatchObject({ code: 'rest_hook_not_found' });
});
