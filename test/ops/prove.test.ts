import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkProof } from '#proofs/bundle.ts';
import { parsePolicy } from '#tlog/policy.ts';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../support/patience.ts';
import { startServer } from '../support/server.ts';
import { typeVerb } from '../support/verbs.ts';

interface Site {
  readonly directory: string;
  close(): Promise<void>;
  /** Sends `METHOD /path` as a user; default: the administrator. */
  call(
    request: string,
    body?: object | null,
    as?: string,
  ): Promise<{ status: number; text: string; body: Record<string, never> }>;
  verb(...args: readonly string[]): ReturnType<typeof typeVerb>;
  /** Waits until a signed checkpoint covers all that was written. */
  signed(): Promise<void>;
  /** Path of a file for proofs. */
  file(name: string): string;
  readonly policy: string;
}

async function openSite(): Promise<Site> {
  const [directory = '', folder = ''] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'prove-')));
  const port = String(await freePort());
  const server = await startServer(directory, undefined, { CHECKPOINT_EVERY: '1', READERS: '1', PORT: port });
  const root = `http://127.0.0.1:${port}/cms-json`;
  const call: Site['call'] = async (request, body = null, as = `admin:${server.password}`) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${root}/cms/v2${path}`, {
      method,
      headers: {
        ...(as === '' ? {} : { authorization: `Basic ${Buffer.from(as).toString('base64')}` }),
        'content-type': 'application/json',
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const file = (name: string) => join(folder, name);
  const signed = () =>
    eventually(async () => {
      const checkpoint = await (await fetch(`${root}/tlog/checkpoint`)).text();
      const { body } = await call('GET /changes?since=0');
      expect(Number(checkpoint.split('\n')[1])).toBeGreaterThanOrEqual(Number(body['position']));
    });
  await call('POST /posts', { title: 'First', content: 'Äpfel', status: 'publish' });
  await signed();
  const policy = file('policy.txt');
  writeFileSync(policy, `log ${await (await fetch(`${root}/tlog/log.vkey`)).text()}quorum none\n`);
  const close = async () => {
    await server.stop();
    for (const made of [directory, folder]) rmSync(made, { recursive: true, force: true });
  };
  return { directory, close, call, verb: (...args) => typeVerb(directory, args), signed, file, policy };
}

const eventsIn = (site: Site, name: string) =>
  checkProof(readFileSync(site.file(name)), parsePolicy(readFileSync(site.policy))).events;

describe('a site that can prove what it recorded', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    await site.call('PUT /posts/1', { title: 'Second thoughts' });
    await site.call('PUT /posts/1', { content: 'Pears' });
    await site.call('PUT /posts/1', { status: 'draft' });
    await site.call('PUT /posts/1', { status: 'draft' });
    await site.signed();
  });
  afterAll(() => site.close());

  const prove = async (name: string, ...args: readonly string[]) => {
    const made = await site.verb('prove', ...args, '--out', site.file(name), '--json');
    expect(made).toMatchObject({ status: 0, err: '' });
    const checked = await typeVerb(site.directory, [
      'verify-proof',
      site.file(name),
      '--policy',
      site.policy,
      '--json',
    ]);
    expect(checked).toMatchObject({ status: 0, err: '' });
    return { made: JSON.parse(made.out), checked: JSON.parse(checked.out) };
  };

  const beforeRevision = () => (eventsIn(site, 'now.proof.json')[1]?.position ?? 0) - 1;

  it('proves an entry as it is: all its events, with the texts, and nothing of its autosaves', async () => {
    const { checked } = await prove('now.proof.json', 'entry', '1');
    const [history] = checked.histories;
    expect(history).toMatchObject({ stream: 'entry-1', isWhole: true });
    expect(history.fields.title.map(({ value }: { value: string }) => value)).toEqual(['First', 'Second thoughts']);
    expect(history.fields.content.map(({ value }: { value: string }) => value)).toEqual(['Äpfel', 'Pears']);
    expect(history.fields.status.map(({ value }: { value: string }) => value)).toEqual(['publish', 'draft']);
    // The save without a change shows that it was still so.
    const { type, position } = eventsIn(site, 'now.proof.json').at(-1) ?? {};
    expect(type).toBe('EntrySaved');
    expect(history.fields.title.at(-1)).toMatchObject({ until: null, last: position });
  });

  it('proves a version, with the next event closed', async () => {
    const { made, checked } = await prove('version.proof.json', 'entry', '1', '--version', '1');
    expect(made).toMatchObject({ events: 2, opened: 1 });
    expect(checked.histories[0].fields.title).toEqual([
      { isShown: true, value: 'First', from: expect.any(Number), until: expect.any(Number), last: expect.any(Number) },
      expect.objectContaining({ isShown: false }),
    ]);
  });

  it('proves one field from the event that last set it', async () => {
    const { checked } = await prove('title.proof.json', 'entry', '1', '--field', 'title');
    const events = eventsIn(site, 'title.proof.json');
    expect(events.map(({ type }) => type)).toEqual([
      'EntryRevised',
      'EntryRevised',
      'EntrySentBackToDraft',
      'EntrySaved',
    ]);
    expect(checked.histories[0].fields.title).toMatchObject([{ value: 'Second thoughts' }]);
    await prove('earlier.proof.json', 'entry', '1', '--field', 'title', '--at', String(beforeRevision()));
    expect(eventsIn(site, 'earlier.proof.json').map(({ opened }) => opened?.['title'])).toEqual(['First', undefined]);
  });

  it('proves that it was public in a period: published, without a password, and no text', async () => {
    const { made, checked } = await prove('public.proof.json', 'entry', '1', '--public', '--from', '2020-01-01');
    expect(made).toMatchObject({ opens: { 'no password': 1 }, opens_also: {} });
    expect(checked.histories[0].fields.status).toMatchObject([{ value: 'publish' }, { value: 'draft' }]);
    expect(checked.histories[0].fields.title).toBeUndefined();
    expect(checked.histories[0].fields.password).toMatchObject([{ value: '' }]);
  });

  it('proves single events, and writes a proof of each for other programs', async () => {
    await prove('event.proof.json', 'event', '2', '--files');
    const [proof = ''] = readdirSync(join(site.file('event.proof.json'), '..')).filter((name) =>
      /^event-2\./.test(name),
    );
    expect(readFileSync(site.file(proof), 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 1\n/);
  });

  it('opens nothing but what was asked for, and says what', async () => {
    const file = site.file('only-title.proof.json');
    const { status, out } = await site.verb('prove', 'entry', '1', '--field', 'title', '--out', file);
    expect({ status, first: out.split('\n')[0] }).toEqual({ status: 0, first: 'opens: title of 1 version.' });
    expect(out).toContain(`verify-proof ${file} --policy policy.txt`);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('Second thoughts');
    expect(text).not.toMatch(/Pears|Äpfel/);
    const said = await site.verb('verify-proof', file, '--policy', site.policy);
    expect(said.out).toMatch(/What it opens\n +title, in 1 event\n\nWhat it shows/);
    const answer = await site.call('GET /posts/1/proof?field=title');
    expect(JSON.parse(answer.text).events).toEqual(JSON.parse(text).events);
    expect(await site.call('GET /posts/1/proof?field=colour')).toMatchObject({ body: { code: 'field_not_found' } });
  });

  it('answers the same file to whoever may edit the item', async () => {
    const { status, text } = await site.call('GET /posts/1/proof');
    expect(status).toBe(200);
    expect(JSON.parse(text).events).toEqual(JSON.parse(readFileSync(site.file('now.proof.json'), 'utf8')).events);
    writeFileSync(site.file('answer.proof.json'), text);
    expect(eventsIn(site, 'answer.proof.json')).toHaveLength(5);
    const then = await site.call(`GET /posts/1/proof?at=${beforeRevision()}`);
    writeFileSync(site.file('then.proof.json'), then.text);
    expect(eventsIn(site, 'then.proof.json').map(({ opened }) => opened?.['title'])).toEqual(['First', undefined]);
    expect(await site.call('GET /media/1/proof')).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
  });

  it.each([
    ['GET /posts/99/proof', 404, 'rest_post_invalid_id'],
    ['GET /pages/1/proof', 404, 'rest_post_invalid_id'],
    ['GET /comments/1/proof', 404, 'rest_comment_invalid_id'],
    ['GET /posts/1/proof?at=soon', 400, 'rest_invalid_as_of'],
    ['GET /posts/1/proof?at=99999', 400, 'rest_invalid_as_of'],
    ['GET /posts/1/proof?at[]=1', 400, 'rest_invalid_param'],
    ['GET /posts/1/proof?at=1', 404, 'rest_post_invalid_id'],
    ['GET /posts/1/proof?as_of=5', 400, 'rest_no_past'],
  ])('refuses %s with %d', async (request, status, code) => {
    expect(await site.call(request)).toMatchObject({ status, body: { code } });
    const message = String((await site.call(request)).body['message']);
    if (code === 'rest_invalid_as_of') expect(message).not.toContain('as_of');
  });

  it('gives no proof to whoever may not edit the item', async () => {
    const added = JSON.parse((await site.verb('user', 'add', 'bob', '--role', 'author', '--json')).out);
    const bob = `bob:${added.password}`;
    const code = 'rest_forbidden_context';
    expect(await site.call('GET /posts/1/proof', null, bob)).toMatchObject({ status: 403, body: { code } });
    expect(await site.call('GET /posts/1/proof', null, '')).toMatchObject({ status: 401, body: { code } });
    const then = await site.call(`GET /posts/1/proof?at=${beforeRevision()}`, null, bob);
    expect(then).toMatchObject({ status: 403 });
  });

  it.each([
    [['entry', '99'], 'proof_not_found'],
    [['entry', '1', '--version', '9'], 'version_not_found'],
    [['entry', '1', '--field', 'colour'], 'field_not_found'],
    [['entry', '1', '--at', 'soon'], 'invalid_time'],
    [['entry', '1', '--at', '1'], 'proof_not_found'],
    [['event', '99999'], 'proof_too_early'],
    [['erasure', 'entry-1'], 'erasure_not_found'],
  ])('refuses to prove %j', async (args, code) => {
    const { status, err } = await site.verb('prove', ...args, '--out', site.file('none.proof.json'));
    expect({ status, code: /\((\w+)\)\n?$/.exec(err)?.[1] }).toEqual({ status: 1, code });
  });

  it('overwrites no file', async () => {
    writeFileSync(site.file('there.proof.json'), 'mine');
    const { status, err } = await site.verb('prove', 'entry', '1', '--out', site.file('there.proof.json'));
    expect({ status, code: /\((\w+)\)\n?$/.exec(err)?.[1] }).toEqual({ status: 1, code: 'file_exists' });
    expect(readFileSync(site.file('there.proof.json'), 'utf8')).toBe('mine');
  });

  it('shows a password only to whoever says so, and calls nothing public that needed one', async () => {
    const { body } = await site.call('POST /posts', {
      title: 'Hidden',
      content: 'Inner',
      status: 'publish',
      password: 'vellum',
    });
    const id = String(body['id']);
    await site.call(`PUT /posts/${id}`, { title: 'Hidden still' });
    await site.signed();
    for (const args of [['--field', 'title'], ['--version', '1'], ['--version', '2'], []]) {
      const name = `hidden${args.join('')}.proof.json`;
      await prove(name, 'entry', id, ...args);
      expect(readFileSync(site.file(name), 'utf8'), name).not.toContain('vellum');
    }
    const position = String(eventsIn(site, 'hidden.proof.json')[0]?.position);
    await prove('hidden-event.proof.json', 'event', position, '--open');
    expect(readFileSync(site.file('hidden-event.proof.json'), 'utf8')).not.toContain('vellum');
    const said = await site.verb('verify-proof', site.file('hidden.proof.json'), '--policy', site.policy);
    expect(said.out).toContain(`Whether a password was needed to read entry-${id}`);
    expect((await site.call(`GET /posts/${id}/proof`)).text).not.toContain('vellum');

    const asked = ['entry', id, '--field', 'password', '--out', site.file('password.proof.json')];
    const refused = await site.verb('prove', ...asked);
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^opens: password of 1.* \(proof_opens_password\)\n?$/s),
    });
    expect((await site.verb('prove', ...asked, '--open-password')).status).toBe(0);
    expect(readFileSync(site.file('password.proof.json'), 'utf8')).toContain('vellum');
    const route = `GET /posts/${id}/proof?field=password`;
    expect(await site.call(route)).toMatchObject({ status: 400, body: { code: 'proof_opens_password' } });
    expect((await site.call(`${route}&open_password=true`)).text).toContain('vellum');

    const isPublic = ['entry', id, '--public', '--out', site.file('never.proof.json')];
    expect(await site.verb('prove', ...isPublic)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/ \(not_public\)\n?$/),
    });
    await site.call(`PUT /posts/${id}`, { password: '' });
    await site.signed();
    const { made, checked } = await prove('since.proof.json', 'entry', id, '--public');
    expect(made.opens).toEqual({ 'no password': 1 });
    expect(checked.histories[0].fields.password).toMatchObject([{ isShown: false }, { value: '' }]);
    expect(readFileSync(site.file('since.proof.json'), 'utf8')).not.toMatch(/vellum|Hidden|Inner/);
  });

  it('is evidence of what visitors read in a period, and of who approved it before: of no draft, and of nothing later', async () => {
    const editor = { username: 'ada', email: 'ada@example.org', password: 'correct horse', roles: ['editor'] };
    const { body: ada } = await site.call('POST /users', editor);
    const token = await site.call(`POST /users/${ada['id']}/application-passwords`, { name: 'desk' });
    const { body: post } = await site.call('POST /posts', { title: 'A draft', content: 'Unfinished', status: 'draft' });
    const { body: release } = await site.call('POST /releases', { name: 'Launch' });
    const held = { title: 'Opening', content: 'At nine', status: 'publish' };
    expect(
      (await site.call(`PUT /posts/${post['id']}?release=${release['id']}`, held, `ada:${token.body['password']}`))
        .status,
    ).toBe(200);
    expect((await site.call(`POST /releases/${release['id']}/approve`, { meaning: 'responsible' })).status).toBe(200);
    expect((await site.call(`POST /releases/${release['id']}`, { name: 'The launch' })).status).toBe(200);
    expect((await site.call(`POST /releases/${release['id']}/publish`)).status).toBe(200);
    await site.call(`PUT /posts/${post['id']}`, { content: 'At ten' });
    await site.call(`PUT /posts/${post['id']}`, { status: 'draft' });
    await site.call(`PUT /posts/${post['id']}`, { title: 'A later thought', content: 'Never' });
    await site.signed();
    const { checked } = await prove('read.proof.json', 'entry', String(post['id']), '--public', '--texts');
    const texts = (field: string) =>
      checked.histories[0].fields[field].flatMap(({ isShown, value }: { isShown: boolean; value: unknown }) =>
        isShown ? [value] : [],
      );
    expect(['title', 'content', 'status'].map(texts)).toEqual([
      ['Opening'],
      ['At nine', 'At ten'],
      ['draft', 'publish', 'draft'],
    ]);
    expect(readFileSync(site.file('read.proof.json'), 'utf8')).not.toMatch(/A draft|Unfinished|later thought|Never/);
    const events = eventsIn(site, 'read.proof.json');
    const [approved, published] = ['ReleaseApproved', 'ReleasePublished'].map((name) =>
      events.find(({ type }) => type === name),
    );
    expect(approved).toMatchObject({
      data: { by: 1, digest: published?.data['digest'] },
      opened: { meaning: 'responsible' },
    });
    expect(approved?.position).toBeLessThan(published?.position ?? 0);
    const { code } = await new Promise<{ code: number | null }>((resolve) =>
      execFile(
        'python3',
        ['verifiers/verify_proof.py', site.file('read.proof.json'), '--policy', site.policy],
        (error) => resolve({ code: error === null ? 0 : Number(error.code) }),
      ),
    );
    expect(code).toBe(0);
  });

  // The last one: nothing of the entry is left afterwards.
  it('leaves earlier proofs valid when an entry is erased, and proves the erasure itself', async () => {
    const proved = async (name: string, ...args: string[]) => {
      const made = await site.verb('prove', ...args, '--out', site.file(name));
      expect(made).toMatchObject({ status: 0, err: '' });
      return made.out;
    };
    await proved('shown.proof.json', 'entry', '1', '--public', '--from', '2020-01-01');
    await proved('texts.proof.json', 'entry', '1', '--version', '1');
    const before = eventsIn(site, 'shown.proof.json');
    expect((await site.verb('erase', 'entry', '1', '--yes', '--as', 'admin', '--reason', 'an order')).status).toBe(0);
    await site.signed();

    expect(eventsIn(site, 'shown.proof.json')).toEqual(before);
    const again = await proved('again.proof.json', 'entry', '1', '--version', '1');
    expect(again).toMatch(/have been erased: only the rows are shown/);
    const [old, now] = ['texts.proof.json', 'again.proof.json'].map((name) => {
      return JSON.parse(readFileSync(site.file(name), 'utf8')).events[0];
    });
    expect(now.row).toBe(old.row);
    expect(now.sealed).toBeNull();

    await proved('erasure.proof.json', 'erasure', 'entry-1');
    const { out } = await site.verb('verify-proof', site.file('erasure.proof.json'), '--policy', site.policy);
    expect(out).toContain('its erasure was ordered by user 1 at');
    expect(out).toContain('for the reason “an order”');
    expect(out).toMatch(/An earlier log of \d+ events was only continued/);
    expect(eventsIn(site, 'erasure.proof.json').map(({ opened }) => opened)).not.toContain('First');
    expect((await site.verb('verify', '--quick')).out).toMatch(/^checkpoints +ok/m);
    expect(await site.call('GET /posts/1/proof')).toMatchObject({ status: 404 });
  });
});

describe('verify-proof', () => {
  it('needs neither settings nor a data directory, and refuses a forged file', async () => {
    const folder = join(import.meta.dirname, '../proofs/bundles');
    const verify = (name: string, policy = join(folder, 'policy.txt')) =>
      typeVerb('/nowhere', ['verify-proof', join(folder, name), '--policy', policy], { PORT: 'none' });
    const { status, out } = await verify('true/item.proof.json');
    expect(status).toBe(0);
    for (const said of [
      '2 witnesses of 2 organisations',
      'title was “Größe “1”” from 2026-03-01T02:00:00.000Z (position 3) to 2026-03-01T05:00:00.000Z (position 6)',
      'Nothing is shown about what came later for entry-12, after position 13.',
    ]) {
      expect(out).toContain(said);
    }
    expect((await verify('true/erasure.proof.json')).out).toContain('its erasure was ordered by user 1');
    const forged = await verify('forged/sealed-changed.proof.json');
    expect(forged).toMatchObject({ status: 1, out: expect.stringContaining('This proof does not hold') });
    expect((await verify('true/missing.json')).status).toBe(2);
    const without = await typeVerb('/nowhere', ['verify-proof', join(folder, 'true/item.proof.json')]);
    expect(without).toMatchObject({ status: 2, err: expect.stringContaining('witness policy > policy.txt') });
    expect((await verify('true/item.proof.json', join(folder, 'true/item.proof.json'))).status).toBe(2);
  });
});
