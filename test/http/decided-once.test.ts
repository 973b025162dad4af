import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/patience.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { type StandIn, startStandIn } from '../support/stand-in/server.ts';
import { type FileToSend, pngOf, uploadForm } from '../support/uploads.ts';
import { quick } from '../support/wire-store.ts';

let standIn: StandIn;
let sites: readonly Site[];
let alone: Site;
beforeAll(async () => {
  standIn = await startStandIn();
  const env = { EVENTSTORE_URL: standIn.url };
  const first = await startSite({ env, timings: quick });
  const others = [0, 1].map(() => startSite({ env, timings: quick, users: first.credentials }));
  sites = [first, ...(await Promise.all(others))];
  alone = await startSite();
});
afterAll(async () => {
  await Promise.all([...sites, alone].map((site) => site.close()));
  standIn.close();
});

/** Texts on both sides of the length from which other threads process them. */
const text = fc
  .tuple(
    fc.constantFrom('word ', '<p>Größe “x”</p>\n', '<!-- wp:latest-posts /-->', '[gallery] '),
    fc.constantFrom(1, 900, 20_000, 40_000, 70_000),
  )
  .map(([unit, length]) => ({ unit, count: Math.ceil(length / unit.length) }));
const post = fc.record({
  title: fc.constantFrom('One', 'Two'),
  content: text,
  status: fc.constantFrom('draft', 'publish'),
});

const write = fc.record({
  keyed: fc.boolean(),
  as: fc.constantFrom<As>('editor', 'contributor'),
  what: fc.oneof(
    post.map((body) => ({ kind: 'create', body }) as const),
    post.map(({ content }) => ({ kind: 'change', body: { content } }) as const),
    post.map(({ content }) => ({ kind: 'autosave', body: { content } }) as const),
    fc.tuple(fc.array(post, { minLength: 1, maxLength: 6 }), fc.boolean()).map(
      ([posts, all]) =>
        ({
          kind: 'batch',
          body: {
            validation: all ? 'require-all-validate' : 'normal',
            requests: posts.map((body) => ({ path: '/cms/v2/posts', body })),
          },
        }) as const,
    ),
    fc
      .record({ file: fc.nat(2), content: text, caption: fc.constantFrom('', 'A caption') })
      .map((body) => ({ kind: 'upload', body }) as const),
  ),
});
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

const files = [
  { name: 'small.png', type: 'image/png', bytes: pngOf(30, 20) },
  { name: 'large.png', type: 'image/png', bytes: pngOf(900, 700) },
  { name: 'words.txt', type: 'text/plain', bytes: 'word '.repeat(20_000) },
];

let keys = 0;

async function carryOut(site: Site, writes: readonly Write[]): Promise<void> {
  const own = new Map<As, number>();
  for (const as of ['editor', 'contributor'] as const)
    own.set(as, await site.make(as, '/posts', { title: 'To change' }));
  const sent = writes.map(async ({ keyed, as, what }) => {
    const headers: Record<string, string> = keyed ? { 'idempotency-key': `decided-${keys++}` } : {};
    const send = () => sendOnce(site, as, { what, headers, own: own.get(as) });
    const first = await send();
    expect([200, 201, 207]).toContain(first.status);
    if (!keyed) return;
    const second = await send();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(JSON.stringify(second.body) === JSON.stringify(first.body)).toBe(true);
  });
  await Promise.all(sent);
}

function sendOnce(site: Site, as: As, { what, headers, own }: Sent) {
  const body = written(what.body, as);
  if (what.kind === 'upload') {
    const file = files[what.body.file] as FileToSend;
    // Contributors may not upload.
    return uploadForm(site, 'editor', file, {
      fields: { description: body.content, caption: what.body.caption },
      headers,
    });
  }
  const path = {
    create: '/posts',
    change: `/posts/${own}`,
    autosave: `/posts/${own}/autosaves`,
    batch: '/cms-json/batch/v1',
  }[what.kind];
  return site.call(as, `POST ${path}`, body, { headers });
}

interface Sent {
  readonly what: Write['what'];
  readonly headers: Record<string, string>;
  /** An entry of the user. */
  readonly own: number | undefined;
}

/** With texts in full, and as contributors may send it: nothing is published. */
function written(body: Write['what']['body'], as: As): { readonly content: string } {
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'content') return value.unit.repeat(value.count);
    return key === 'status' && as === 'contributor' ? 'draft' : value;
  });
}

describe('a write whose texts are in its request', () => {
  it.each([
    ['one node', () => [alone]],
    ['three nodes that share a log', () => sites],
  ])('is carried out once at %s, with keys and long texts, beside others', async (_, at) => {
    const property = fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 8 }), async (writes) => {
      await Promise.all(at().map((site) => carryOut(site, writes)));
    });
    await fc.assert(property, { numRuns: 2 });
  });
});

describe('the answer to a write', () => {
  it('shows other data as the write has left them, also within a batch and when it is repeated', async () => {
    const content = '<!-- wp:latest-posts {"postsToShow":2} /-->';
    const headers = { 'idempotency-key': 'lists' };
    const body = { title: 'Shows itself', status: 'publish', content };
    const { body: made } = await alone.call('editor', 'POST /posts', body);
    expect(made.content.rendered).toContain('Shows itself');
    const requests = ['First', 'Second'].map((title) => ({ path: '/cms/v2/posts', body: { ...body, title } }));
    const first = await alone.call('editor', 'POST /cms-json/batch/v1', { requests }, { headers });
    const [one, two] = first.body.responses.map((each: { body: { content: { rendered: string } } }) => each.body);
    for (const { content } of [one, two]) expect(content.rendered).toMatch(/Second.*First/s);
    await alone.call('editor', 'POST /posts', { title: 'Later', status: 'publish' });
    const again = await alone.call('editor', 'POST /cms-json/batch/v1', { requests }, { headers });
    expect(again.text).toBe(first.text);
  });
});

describe('the answer to a write of a contributor', () => {
  const body = { title: 'Lists', content: '<!-- wp:latest-posts /-->' };

  it('shows what its blocks show, also beside other writes', async () => {
    const beside = Array.from({ length: 20 }, () => alone.call('contributor', 'POST /posts', body));
    for (const { body: made } of await Promise.all(beside)) expect(made.content.rendered).toMatch(/^<ul/);
  });

  it('is whole while the server closes', async () => {
    const site = await startSite();
    const { store } = site.node;
    const { submit } = store;
    let closed: Promise<void> | undefined;
    store.submit = async (context, work) => {
      const written = await submit(context, work);
      closed ??= site.close();
      await eventually(() => expect(fetch(`http://127.0.0.1:${site.port}/`)).rejects.toThrow());
      return written;
    };
    const { body: made } = await site.call('contributor', 'POST /posts', body);
    expect(made.content.rendered).toMatch(/^<ul/);
    await closed;
  });
});

describe('a write of a long text that only the store has', () => {
  it('stores it whole', async () => {
    const content = 'Größe “x” '.repeat(20_000);
    const id = await alone.make('editor', '/posts', { title: 'Long', content: 'First', status: 'publish' });
    await alone.call('editor', `PATCH /posts/${id}`, { content });
    await alone.call('editor', `PATCH /posts/${id}`, { content: 'Short' });
    const { body } = await alone.call('editor', `GET /posts/${id}/revisions?context=edit`);
    const { id: long } = body.find((one: { content: { raw: string } }) => one.content.raw === content);
    const restored = await alone.call('editor', `POST /posts/${id}/revisions/${long}/restore`);
    expect(restored.body.content.raw === content).toBe(true);
  });
});
