import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/browser.ts';
import type { Site } from '../../support/site.ts';
import { siteWithHistory } from './history.ts';

const paths = [
  ...['', '?user=nobody', '?correlation=none', 'day?date=2026-03-01', 'health', 'nothing'],
  ...['things/entry-1', 'things/entry-1/changes?to=2', 'things/entry-3', 'things/entry-1/at?position=20'],
  ...['?field=title', 'public', 'logins', 'events', 'log/20', 'things/entry-1/blame', 'things/entry-1/versions'],
];

describe.skipIf(chromiumPath === undefined)('the audit pages in a browser', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = await siteWithHistory();
    // The pages come from this process alone, and not every machine offers the sandbox of the browser.
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** Opens a window for an administrator, runs `act` in it, and returns the complaints of the browser. */
  async function inWindow(act: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<string[]> {
    const headers = { authorization: site.authorization('administrator') };
    const context = await browser.newContext({
      ...{ baseURL: `http://127.0.0.1:${site.port}/cms-audit/`, extraHTTPHeaders: headers },
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('console', (message) => {
      if (!/status of 40\d/.test(message.text())) complaints.push(message.text());
    });
    await act(page);
    await context.close();
    return complaints;
  }

  /** Returns the violations that axe finds, with their places. */
  async function faultsOf(page: Page): Promise<string[]> {
    // Evaluated from outside: the pages themselves allow no scripts.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
  }

  it.each(['light', 'dark'] as const)('have no accessibility violations, in %s mode', async (colorScheme) => {
    const faults: string[] = [];
    const complaints = await inWindow(
      async (page) => {
        for (const path of paths) {
          await page.goto(path);
          faults.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
        }
      },
      { colorScheme },
    );
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([320, 390, 1280])('fit a window %i pixels wide', async (width) => {
    const tooWide: string[] = [];
    await inWindow(
      async (page) => {
        for (const path of paths) {
          await page.goto(path);
          if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) tooWide.push(path);
        }
      },
      { viewport: { width, height: 800 } },
    );
    expect(tooWide).toEqual([]);
  });

  it('can be used with the keyboard alone: skip link, menu, filter, result, comparison', async () => {
    await inWindow(async (page) => {
      const focused = async () => String(await page.evaluate('document.activeElement.textContent'));
      const press = async (key: string, until: string) => {
        for (let i = 0; i < 40 && (await focused()).trim() !== until; i++) await page.keyboard.press(key);
        expect((await focused()).trim()).toBe(until);
      };
      await page.goto('');
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to content');
      expect(await page.locator('.skip').evaluate((link) => link.getBoundingClientRect().left)).toBeGreaterThan(0);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).toBe('user');
      await page.keyboard.type('author');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Texts');
      await press('Tab', 'Show');
      await page.keyboard.press('Enter');
      await page.waitForURL(/user=author&type=EntryRevised/);
      await press('Tab', 'First words, revised post 1');
      await page.keyboard.press('Enter');
      await page.waitForURL(/things\/entry-1$/);
      await press('Tab', 'Compare');
      await page.keyboard.press('Enter');
      await page.waitForURL(/things\/entry-1\/changes\?from=/);
      expect(await page.locator('h1').textContent()).toBe('What changed');
      expect(await page.locator('ins').first().textContent()).toContain('revised');
    });
  });

  it('have accessible names for landmarks, fields and links', async () => {
    await inWindow(async (page) => {
      await page.goto('');
      expect(await page.getByRole('navigation', { name: 'Audit' }).getByRole('link').allTextContents()).toEqual([
        'Timeline',
        'The site on a day',
        'What was public',
        'Log-ins',
        'Messages',
        'Counted events',
        'Health',
      ]);
      expect(await page.getByRole('link', { name: 'Timeline' }).getAttribute('aria-current')).toBe('page');
      for (const label of ['Who', 'What', 'From', 'To', 'Title, address or no.', 'Correlation id']) {
        expect(await page.getByLabel(label, { exact: true }).count()).toBe(1);
      }
      expect(await page.getByRole('main').getByRole('heading', { level: 1 }).textContent()).toBe('Timeline');
      await page.goto('things/entry-1');
      expect(
        await page.getByRole('link', { name: /^what changed with revision 2 of First words, revised$/ }).count(),
      ).toBe(1);
    });
  });

  it('run no stored script', async () => {
    const complaints = await inWindow(async (page) => {
      for (const path of ['', 'things/entry-3', 'things/entry-3/changes?to=1', 'day?date=2026-03-01']) {
        await page.goto(path);
        expect(await page.locator('script, img').count()).toBe(0);
      }
    });
    expect(complaints).toEqual([]);
  });

  it('lead from the login form to the requested page, and log out again', async () => {
    const [, credentials = ''] = site.authorization('administrator').split(' ');
    const [username = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':');
    const context = await browser.newContext({ baseURL: `http://127.0.0.1:${site.port}/cms-audit/` });
    const page = await context.newPage();
    const logIn = async (secret: string) => {
      await page.getByLabel('Login').fill(username);
      await page.getByLabel('Password').fill(secret);
      await page.keyboard.press('Enter');
    };
    await page.goto('things/entry-1?from=1');
    expect(await faultsOf(page)).toEqual([]);
    await logIn('wrong');
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.getByLabel('Login').inputValue()).toBe(username);
    await logIn(password);
    await page.waitForURL(/things\/entry-1\?from=1$/);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('They are at the end of the log.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(/login$/);
    await page.goto('health');
    expect(await page.locator('h1').textContent()).toBe('Log in');
    await context.close();
  });

  it('create no login that pages of other sites could use', async () => {
    const [, credentials = ''] = site.authorization('administrator').split(' ');
    const [username = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':');
    const root = `localhost:${site.port}`;
    const evil = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<form method="post" action="http://${root}/cms-json/cms/v2/posts"><input name="title" value="Taken">
<input name="status" value="publish"></form><a href="http://${root}/cms-json/cms/v2/posts/1?_method=DELETE&force=true">x</a>`);
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const { port } = evil.address() as AddressInfo;
    const context = await browser.newContext({
      httpCredentials: { username, password, origin: 'http://unused.invalid' },
    });
    const page = await context.newPage();
    await page.goto(`http://${root}/cms-audit`);
    await page.getByLabel('Login').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    const before = site.position();
    for (const act of ["document.querySelector('form').submit()", "document.querySelector('a').click()"]) {
      const other = await context.newPage();
      await other.goto(`http://127.0.0.1:${port}/`);
      const [answer] = await Promise.all([other.waitForResponse(/cms-json/), other.evaluate(act)]);
      expect([401, 403]).toContain(answer.status());
    }
    expect(site.position()).toBe(before);
    await context.close();
    evil.close();
  });
});
