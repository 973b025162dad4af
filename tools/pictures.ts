// Makes the pictures of the README from a demonstration site: `npm run pictures`. Needs Chromium on the PATH, or `CHROMIUM`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../test/support/browser.ts';
import { freePort } from '../test/support/free-port.ts';

const root = join(import.meta.dirname, '..');
const directory = join(mkdtempSync(join(tmpdir(), 'pictures-')), 'demo');
const [width, height] = [1100, 720];
if (chromiumPath === undefined) process.exit(1);

interface Made {
  readonly people: readonly { readonly login: string; readonly role: string; readonly password: string }[];
}

const made = execFileSync(process.execPath, ['src/bin.js', 'demo', '--directory', directory, '--json'], { cwd: root });
const [admin] = (JSON.parse(String(made)) as Made).people.filter(({ role }) => role === 'administrator');
const env = { ...process.env, DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'silent' };
const server = spawn(process.execPath, ['src/bin.js', 'start'], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [greeting] = await once(server.stdout, 'data');
const site = /site +(\S+)/.exec(String(greeting))?.[1] ?? '';
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width, height } });

async function picture(name: string, wide: number = width): Promise<void> {
  const { data, info } = await sharp(await page.screenshot())
    .resize(wide)
    .webp({ quality: 72 })
    .toBuffer({ resolveWithObject: true });
  await sharp(data).toFile(join(root, 'docs/pictures', `${name}.webp`));
  console.log(`${name}.webp, ${Math.round(info.size / 1000)} kB`);
}

/** A picture for the guides of the examples. */
async function drawing(name: string): Promise<void> {
  const file = join(root, 'docs/pictures', `${name}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, colours: 128, effort: 10 })
    .toFile(file);
  console.log(`${name}.png, ${Math.round(statSync(file).size / 1000)} kB`);
}

/** Starts an example that has packages of its own, for the site. */
async function example(name: string): Promise<{ readonly address: string; readonly stop: () => void }> {
  const cwd = join(root, 'examples', name);
  if (!existsSync(join(cwd, 'node_modules'))) execFileSync('npm', ['ci'], { cwd, stdio: 'inherit' });
  const address = `http://localhost:${await freePort()}/`;
  const { origin, port } = new URL(address);
  const env = { ...process.env, STORE: new URL(site).origin, FRONT_URL: origin, PORT: port };
  const serving = spawn('npm', ['start', '--silent'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  serving.stdout.resume();
  for (;;) {
    const isThere = await fetch(address).then(
      () => true,
      () => false,
    );
    if (isThere) return { address, stop: () => process.kill(-Number(serving.pid)) };
    await setTimeout(200);
  }
}

await page.goto(site, { waitUntil: 'networkidle' });
await picture('site');
const front = await example('astro');
await page.goto(front.address, { waitUntil: 'networkidle' });
await drawing('front');
front.stop();
const authorization = `Basic ${Buffer.from(`${admin?.login}:${admin?.password}`).toString('base64')}`;
const onboarding = async (verb: string, body: object) => {
  const headers = { authorization, 'content-type': 'application/json' };
  const address = `${site}cms-json/host-easy-onboarding/v1/${verb}`;
  const { ok } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!ok) throw new Error(`${verb} failed`);
};
await onboarding('install-ai-theme', {});
for (const theme_slug of ['wide', 'book', 'host-ai-theme', 'plain']) {
  await onboarding('activate-theme', { theme_slug });
  await page.goto(site, { waitUntil: 'networkidle' });
  await picture(`theme-${theme_slug}`, 640);
}
await page.goto(`${site}cms-audit/`);
await page.getByLabel('Login').fill(admin?.login ?? '');
await page.getByLabel('Password').fill(admin?.password ?? '');
await page.keyboard.press('Enter');
await page.waitForURL(/cms-audit\/$/);
await page.waitForSelector('table, time');
await picture('audit');
await page.goto(`${site}cms-audit/?type=EntryRevised&user=alcuin`);
const changes = page.locator('.act', { hasText: 'edited content' }).first().getByRole('link', { name: 'what changed' });
await changes.click();
await page.waitForSelector('.diff');
await picture('difference');
await page.goto(`${site}cms-json/docs/`);
await page.getByLabel('Find a route').fill('get /cms/v2/posts/{id} show a post');
await page.locator('main details:visible').first().locator('summary').click();
await page.getByLabel('Find a route').scrollIntoViewIfNeeded();
await page
  .locator('main details:visible')
  .first()
  .evaluate((one) => one.scrollIntoView());
await picture('interface');

const illustrated = await fetch(`${site}cms-json/cms/v2/posts?per_page=100&_fields=id,content`);
const posts = (await illustrated.json()) as { id: number; content: { rendered: string } }[];
const post = posts.find(({ content }) => content.rendered.includes('<img'));

const editor = await example('editor');
await page.goto(editor.address);
await page.evaluate((login) => sessionStorage.setItem('login', login), authorization);
await page.goto(`${editor.address}post.php?post=${post?.id}&action=edit`);
const canvas = page.frameLocator('iframe[name="editor-canvas"]');
await canvas.locator('img').first().waitFor();
await canvas.locator('p').first().click();
await page.getByRole('tab', { name: 'Post' }).click();
await page.mouse.move(0, height / 2);
await page.waitForTimeout(500);
await drawing('editor');
editor.stop();

await browser.close();
server.kill();
await once(server, 'exit');
rmSync(join(directory, '..'), { recursive: true });
