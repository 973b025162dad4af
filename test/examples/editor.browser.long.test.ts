import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { found, patience } from '../support/patience.ts';
import { type StartedServer, startServer } from '../support/server.ts';

/** The block editor of the examples, installed and built from a copy as its guide says, in a browser, on a server of its own. */

const root = join(import.meta.dirname, '../..');

describe.skipIf(chromiumPath === undefined)('the example of a block editor', () => {
  const place = mkdtempSync(join(tmpdir(), 'editor-'));
  const folder = join(place, 'editor');
  let server: StartedServer;
  let address = '';
  let stop: () => void = () => undefined;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path));
    cpSync(join(root, 'examples/editor'), folder, { recursive: true, filter });
    server = await startServer(join(place, 'data'));
    const port = await freePort();
    address = `http://localhost:${port}/`;
    // As a newcomer's shell: not that of a test.
    const env = { ...process.env, NODE_ENV: undefined, STORE: new URL(server.root).origin, PORT: String(port) };
    const options = { cwd: folder, env, detached: true, stdio: 'pipe' } as const;
    const installing = spawn('npm', ['ci'], options);
    installing.stdout.resume();
    installing.stderr.pipe(process.stderr);
    expect((await once(installing, 'exit'))[0]).toBe(0);
    const checking = spawn('npm', ['run', 'typecheck'], { ...options, stdio: 'inherit' });
    expect((await once(checking, 'exit'))[0]).toBe(0);
    const serving = spawn('npm', ['start'], options);
    stop = () => process.kill(-Number(serving.pid));
    await once(serving.stdout, 'data');
    await found(() =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    stop();
    await server?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(patience);
    page = await context.newPage();
    await page.goto(address);
    await logIn('admin', server.password);
    return () => context.close();
  });

  async function logIn(login: string, password: string): Promise<void> {
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Application password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Posts' }).waitFor();
  }

  /** Asks the store what it has, as the administrator. */
  // biome-ignore lint/suspicious/noExplicitAny: each test reads different members of an answer
  async function call(request: string, body?: object): Promise<any> {
    const [method = '', path = ''] = request.split(' ');
    const authorization = `Basic ${Buffer.from(`admin:${server.password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${server.root}cms/v2${path}`, { method, headers, ...sent });
    return answer.json();
  }

  const canvas = () => page.frameLocator('iframe[name="editor-canvas"]');
  const stored = (id: number) => call(`GET /posts/${id}?context=edit`);
  const said = (text: string) => page.getByTestId('snackbar').filter({ hasText: text }).first().waitFor();
  const save = async () => {
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
  };
  const edit = async (id: number) => {
    await page.goto(`${address}post.php?post=${id}&action=edit`);
    await canvas().getByRole('textbox', { name: 'Add title' }).waitFor();
  };
  const append = async (to: string, words: string) => {
    await canvas().getByText(to).click();
    await page.keyboard.press('End');
    await page.keyboard.type(words);
  };
  const make = async (title: string, more: object = {}): Promise<number> =>
    (await call('POST /posts', { title, content: paragraph('First words.'), ...more })).id;

  it('writes a draft with blocks, and previews it for everybody who gets the address', async () => {
    await page.getByRole('link', { name: 'New post' }).click();
    await canvas().getByRole('textbox', { name: 'Add title' }).fill('On vellum');
    await page.keyboard.press('Enter');
    await page.keyboard.type('It is made of skin.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('## How it is made');
    await save();
    const id = Number(new URL(page.url()).searchParams.get('post'));
    expect(await stored(id)).toMatchObject({
      status: 'draft',
      title: { raw: 'On vellum' },
      content: {
        raw: `${paragraph('It is made of skin.')}\n\n<!-- wp:heading -->\n<h2 class="wp-block-heading">How it is made</h2>\n<!-- /wp:heading -->`,
      },
    });

    await page.getByRole('button', { name: 'View', exact: true }).click();
    const opening = context.waitForEvent('page');
    await page.getByRole('menuitem', { name: 'Preview' }).click();
    const preview = await opening;
    await preview.waitForURL(/token=/);
    const visitor = await browser.newPage();
    await visitor.goto(preview.url());
    await visitor.frameLocator('iframe').getByRole('heading', { name: 'How it is made' }).waitFor();
    await visitor.close();
  });

  it('publishes a post, and shows it at its address', async () => {
    const id = await make('To be published');
    await edit(id);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Editor publish' });
    await panel.getByRole('button', { name: 'Publish', exact: true }).click();
    await panel.getByText('is now live.').waitFor();
    const { status, link } = await stored(id);
    expect([status, (await fetch(link)).status]).toEqual(['publish', 200]);
  });

  it('schedules a post', async () => {
    const id = await make('To be scheduled');
    await edit(id);
    await page.getByRole('button', { name: 'Change date' }).click();
    await page.getByRole('button', { name: 'View next month' }).click();
    await page.getByRole('application', { name: 'Calendar' }).getByRole('button', { name: / 15, / }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Editor publish' });
    await panel.getByRole('button', { name: 'Schedule', exact: true }).click();
    await panel.getByText('is now scheduled.').waitFor();
    expect(await stored(id)).toMatchObject({ status: 'future', date: expect.stringMatching(/-15T/) });
  });

  it('shows earlier versions, and restores one', async () => {
    const id = await make('Revised');
    await edit(id);
    await append('First words.', ' And second words.');
    await save();
    await append('And second words.', ' And third words.');
    await save();
    expect((await stored(id)).content.raw).toBe(paragraph('First words. And second words. And third words.'));
    await page.getByRole('tab', { name: 'Post' }).click();
    await page.locator('.editor-post-panel__row', { hasText: 'Revisions' }).getByRole('button').click();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Restore' }).click();
    await said('Restored to revision');
    expect((await stored(id)).content.raw).toBe(paragraph('First words. And second words.'));
  });

  it('uploads an image into a post, and lists it', async () => {
    const id = await make('Illustrated');
    await edit(id);
    await append('First words.', '');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/image');
    await page.getByRole('option', { name: 'Image', exact: true }).click();
    const choosing = page.waitForEvent('filechooser');
    await canvas().getByRole('button', { name: 'Upload' }).click();
    await (await choosing).setFiles(join(root, 'docs/manuscript.jpg'));
    await said('Upload complete');
    await save();
    const [image] = await call(`GET /media?parent=${id}`);
    const { content } = await stored(id);
    expect(content.raw).toContain(`<img src="${image.source_url}" alt="" class="wp-image-${image.id}"/>`);
    await page.goto(`${address}upload.php`);
    await page.getByText('manuscript').first().waitFor();
  });

  it('puts a note to a block, which visitors do not see', async () => {
    const id = await make('Annotated', { status: 'publish' });
    await edit(id);
    await canvas().getByText('First words.').click();
    await page.getByRole('toolbar', { name: 'Block tools' }).getByRole('button', { name: 'Options' }).click();
    await page.getByRole('menuitem', { name: 'Add note' }).click();
    await page.keyboard.type('Shorter?');
    await page.getByRole('button', { name: 'Add note', exact: true }).click();
    await said('Note added.');
    const [note, ...others] = await call(`GET /comments?post=${id}&type=note&status=all&context=edit`);
    expect([note.content.raw, note.status, others]).toEqual(['Shorter?', 'hold', []]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said('Post updated.');
    const { content, link } = await stored(id);
    expect(content.raw).toContain(`<!-- wp:paragraph {"metadata":{"noteId":[${note.id}]}} -->`);
    expect(await (await fetch(link)).text()).not.toContain('Shorter?');
  });

  it('tells that somebody else has changed the post, and overwrites nothing', async () => {
    const id = await make('Shared');
    await edit(id);
    // Its own writes do not stand in its way.
    await append('First words.', ' And mine.');
    await save();
    await append('And mine.', ' And more of mine.');
    await call(`PUT /posts/${id}`, { content: paragraph('Theirs.') });
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Somebody else has changed this since you opened it').first().waitFor();
    expect((await stored(id)).content.raw).toBe(paragraph('Theirs.'));
    page.on('dialog', (dialog) => dialog.accept());
    await found(() => page.evaluate(() => Object.keys(sessionStorage).some((key) => key.startsWith('wp-autosave'))));
    await page.getByRole('link', { name: 'Load their version' }).click();
    await canvas().getByText('Theirs.').waitFor();
    await page.getByRole('button', { name: 'Restore the backup' }).click();
    await canvas().getByText('First words. And mine. And more of mine.').waitFor();
  });

  it('lists for authors what is theirs', async () => {
    const author = { username: 'ada', email: 'ada@example.org', password: 'of no use here', roles: ['author'] };
    const { id } = await call('POST /users', author);
    const { password } = await call(`POST /users/${id}/application-passwords`, { name: 'Editor' });
    await make('Not hers', { status: 'publish' });
    await make('Hers', { author: id });
    await page.getByRole('button', { name: 'Log out' }).click();
    await logIn('ada', password);
    await page.getByRole('link', { name: 'Hers' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Hers' }).click();
    await append('First words.', ' Of Ada.');
    await save();
  });

  it('finds posts and pages, and moves them to the trash', async () => {
    const id = (await call('POST /pages', { title: 'A rare page', status: 'publish' })).id;
    await page.getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('searchbox').fill('rare');
    const row = page.getByRole('row', { name: 'A rare page' });
    await row.hover();
    await row.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trash' }).click();
    await said('moved to the trash');
    expect((await call(`GET /pages/${id}?context=edit`)).status).toBe('trash');
  });
});

function paragraph(words: string): string {
  return `<!-- wp:paragraph -->\n<p>${words}</p>\n<!-- /wp:paragraph -->`;
}
