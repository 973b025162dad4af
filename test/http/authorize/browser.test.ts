import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/browser.ts';
import { type Site, startSite } from '../../support/site.ts';

describe.skipIf(chromiumPath === undefined)('a program that requests a password, in a browser', () => {
  let site: Site;
  let browser: Browser;
  let program: Server;
  let back = '';

  beforeAll(async () => {
    site = await startSite();
    program = createServer((_, response) => response.end('Back in the program')).listen(0, '127.0.0.1');
    await once(program, 'listening');
    back = `http://127.0.0.1:${(program.address() as AddressInfo).port}/back`;
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    program?.close();
    await site?.close();
  });

  const begin = async (colorScheme: 'light' | 'dark') => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const query = new URLSearchParams({ app_name: 'Pocket', success_url: back });
    await page.goto(`http://localhost:${site.port}/authorize-application?${query}`);
    const faults = async () => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
    };
    const logIn = async () => {
      const [, credentials = ''] = site.authorization('author').split(' ');
      const [username = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':');
      await page.getByLabel('Login').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    };
    return { page, context, faults, logIn, complaints };
  };

  it('receives one after login and approval', async () => {
    const { page, context, faults, logIn, complaints } = await begin('light');
    expect(await faults()).toEqual([]);
    await logIn();
    expect(await faults()).toEqual([]);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${back}?**`);
    const { user_login, password = '' } = Object.fromEntries(new URL(page.url()).searchParams);
    const authorization = `Basic ${Buffer.from(`${user_login}:${password}`).toString('base64')}`;
    const { body } = await site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization } });
    expect(body.slug).toBe('author');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is notified when the user refuses, even with an empty name in the form', async () => {
    const { page, context, faults, logIn } = await begin('dark');
    await logIn();
    expect(await faults()).toEqual([]);
    await page.getByLabel('Name of the password').fill('');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL(`${back}?success=false`);
    await context.close();
  });
});
