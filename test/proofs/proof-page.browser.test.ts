import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encodeBundle } from '#proofs/bundle.ts';
import { chromiumPath } from '../support/browser.ts';
import { item, policyText, sampleLog } from './sample-log.ts';

const file = join(import.meta.dirname, '../../verifiers/proof.html');
const corpus = join(import.meta.dirname, 'bundles');
const proof = (name: string) => join(corpus, `${name}.proof.json`);

it('the page that verifies has a policy that lets it run its own script and style, and nothing else', () => {
  const source = readFileSync(file, 'utf8');
  const own = (name: string) => {
    const found = [...source.matchAll(new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 'gs'))];
    expect(found).toHaveLength(1);
    return `'sha256-${hash('sha256', found[0]?.[1] ?? '', 'base64')}'`;
  };
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(source) ?? [];
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${own('style')}`,
    `script-src ${own('script')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(source).not.toMatch(/innerHTML|insertAdjacent|document\.write|https?:\/\//);
});

describe.skipIf(chromiumPath === undefined)('the page that verifies, in a browser', () => {
  let browser: Browser;
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  async function open(
    options: Parameters<Browser['newContext']>[0] = {},
    prepare?: (context: BrowserContext) => unknown,
  ) {
    const context = await browser.newContext({ offline: true, viewport: { width: 375, height: 800 }, ...options });
    onTestFinished(() => context.close());
    await prepare?.(context);
    const page = await context.newPage();
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const faults = async (page: Page) => {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
  };
  const result = (page: Page) => page.getByRole('status', { name: 'Result' });
  const report = async (page: Page) => (await page.locator('#report').textContent()) ?? '';
  const choose = (page: Page, path: string) => page.getByLabel(/^The proof/).setInputFiles(path);
  const paste = (page: Page, text: string) => page.getByLabel(/^Whose signatures count/).fill(text);
  const ends = (page: Page) => page.locator('.holds, .refused').waitFor();

  it('says what a proof shows and what it does not, without a network', async () => {
    const page = await open();
    await choose(page, proof('true/item'));
    await result(page).getByText('Not judged yet').waitFor();
    await page.getByLabel('… or the file of the policy').setInputFiles(join(corpus, 'policy.txt'));
    await ends(page);
    expect(await result(page).textContent()).toContain('This proof holdsitem.proof.json');
    const said = (await report(page)).replaceAll(/\s+/g, ' ');
    for (const words of [
      'The log “cms.example.org” has signed its history of 14 events',
      'The witness “one” (witness.example/one) has confirmed on 15 January 2027 at 08:00:00 UTC',
      'Together: 2 witnesses of 2 organisations.',
      'Nothing else was recorded of it in between. It began with the first of them.',
      'From 1 March 2026 at 02:00:00 UTC (event 3) until 1 March 2026 at 05:00:00 UTC (event 6): Größe “1”',
      'published (“publish”)',
      'What it does not showWhat happened to Entry 12 after event 13.',
      'That this is the only history',
    ]) {
      expect(said).toContain(words);
    }
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('says that a forged one does not hold, and nothing of what it contains', async () => {
    const page = await open();
    await paste(page, policyText);
    await choose(page, proof('forged/sealed-changed'));
    await ends(page);
    expect(await result(page).textContent()).toContain('This proof does not hold');
    expect(await report(page)).toBe('');
    await choose(page, proof('true/event'));
    await page.locator('.holds').waitFor();
    await paste(page, policyText.replace('quorum both', 'quorum all'));
    await result(page).getByText('The policy cannot be read: line 9').waitFor();
    expect(await report(page)).toBe('');
  });

  it.each(['light', 'dark'] as const)('is accessible and fits a telephone, %s', async (colorScheme) => {
    const page = await open({ colorScheme });
    expect(await faults(page)).toEqual([]);
    await paste(page, policyText);
    await choose(page, proof('forged/proof-empty'));
    await ends(page);
    expect(await faults(page)).toEqual([]);
    await choose(page, proof('true/erasure'));
    await page.locator('.holds').waitFor();
    await page.getByText('Technical details').click();
    expect(await faults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });

  it('takes dropped files, and prints what is folded', async () => {
    const page = await open();
    const files = [proof('true/public'), join(corpus, 'policy.txt')].map((path) => readFileSync(path, 'utf8'));
    await page.evaluate(`
      const dataTransfer = new DataTransfer();
      const [proof, policy] = ${JSON.stringify(files)};
      dataTransfer.items.add(new File([policy], 'policy.txt'));
      dataTransfer.items.add(new File([proof], 'public.proof.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));`);
    await ends(page);
    expect(await report(page)).toContain('at least until');
    expect(await page.locator('details').getAttribute('open')).toBe(null);
    await page.pdf();
    expect(await page.locator('details').getAttribute('open')).toBe('');
  });

  it('shows texts as texts', async () => {
    const title = '<img src=x onerror="document.title=1"><b>bold</b>';
    const events = [item(1, 'EntryCreated', { status: '<i>odd</i>' }, { title })];
    const text = encodeBundle(sampleLog(events).bundle(1, [1], [1]));
    const page = await open();
    await paste(page, policyText);
    await page.getByLabel(/^The proof/).setInputFiles({ name: '<b>.json', mimeType: '', buffer: Buffer.from(text) });
    await ends(page);
    expect(await report(page)).toContain(title);
    expect(await page.locator('main img, main b, main i').count()).toBe(0);
  });

  it('judges nothing in a browser without Ed25519', async () => {
    const page = await open({}, (context) =>
      context.addInitScript(() => {
        SubtleCrypto.prototype.importKey = () => Promise.reject(new Error('unknown'));
      }),
    );
    await result(page).getByText('This browser cannot judge').waitFor();
    await paste(page, policyText);
    await choose(page, proof('true/item'));
    await result(page).getByText('This browser cannot judge').waitFor();
    expect(await page.locator('.holds, .refused').count()).toBe(0);
  });
});
