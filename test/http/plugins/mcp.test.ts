import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { callPlugin } from '../../support/plugins.ts';
import { startTokenSite } from '../../support/tokens.ts';

const { site, toggle, make, close } = await startTokenSite({ app: { bodyTimeout: 3000 } });
afterAll(close);

const tokenFor = async (...args: Parameters<typeof make>): Promise<string> => (await make(...args)).token;
const endpoint = () => new URL(`http://127.0.0.1:${site.port}/cms-json/mcp`);

async function connect(token: string): Promise<Client> {
  const headers = { authorization: `Bearer ${token}` };
  // The types of the SDK conflict with exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(endpoint(), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool; returns its JSON, its totals and whether it is an error. */
async function call(client: Client, name: string, sent: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: sent });
  const [first, second] = content as { text: string }[];
  return { body: JSON.parse(first?.text ?? 'null'), totals: second?.text, isError };
}

const send = (body: string | undefined, headers: Record<string, string>, method = 'POST') =>
  fetch(endpoint(), { method, headers, ...(body === undefined ? {} : { body }) });

describe('the MCP endpoint', () => {
  it('exists, and is listed in the index, only while the assistant is enabled', async () => {
    const index = async () => (await callPlugin(site, 'anonymous', 'GET /')).body.mcp;
    const status = async () => (await send('{}', {})).status;
    expect([await status(), await index()]).toEqual([404, undefined]);
    await toggle('setup');
    expect([await status(), await index()]).toEqual([401, { endpoint: 'http://site.example/cms-json/mcp' }]);
    await toggle('deny');
    expect([await status(), await index()]).toEqual([404, undefined]);
    await toggle('setup');
  });

  it('lists its tools briefly', async () => {
    const client = await connect(await tokenFor('administrator'));
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(15);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(12_288);
    const { body } = await call(client, 'posts_create', { title: 'Brief', content: 'Text' });
    expect(Object.keys(body).sort()).toEqual([
      'author',
      'date',
      'id',
      'link',
      'modified',
      'slug',
      'status',
      'title',
      'type',
    ]);
  });

  it('takes back what it did, and nothing that others did', async () => {
    const client = await connect(await tokenFor('administrator'));
    const { body: made } = await call(client, 'posts_create', { title: 'Mine', content: 'Text' });
    const { body: plan } = await call(client, 'history_undo', { entry: String(made.id), dry_run: true });
    expect([plan.done, plan.items.map(({ act }: { act: string }) => act)]).toEqual([false, ['delete']]);
    await call(client, 'history_undo', { entry: String(made.id) });
    expect((await site.call('administrator', `GET /posts/${made.id}`)).status).toBe(404);
    await site.call('editor', 'POST /posts', { title: 'Of somebody else' });
    const refused = await call(client, 'history_undo', { commits: [site.position()] });
    expect(refused.body.code).toBe('rest_cannot_undo');
  });

  it('works in a release if the token says so, until a person publishes it', async () => {
    const { id: release } = (await site.call('administrator', 'POST /releases', { name: 'By an assistant' })).body;
    const made = await callPlugin(site, 'administrator', 'POST /host-ai-assistant/v1/tokens', {
      name: 'Waits',
      release,
    });
    expect(made.body).toMatchObject({ release, publish: true });
    const client = await connect(made.body.token);
    const { body: post } = await call(client, 'posts_create', {
      title: 'It waits',
      content: 'Text',
      status: 'publish',
    });
    expect(post.status).toBe('publish');
    expect((await call(client, 'posts_get', { id: post.id })).body.title.rendered).toBe('It waits');
    expect((await call(client, 'posts_list', { search: 'waits' })).body).toHaveLength(1);
    expect((await site.call('administrator', `GET /posts/${post.id}`)).status).toBe(404);
    expect((await site.call('administrator', `POST /releases/${release}/publish`)).status).toBe(200);
    expect((await site.call('anonymous', `GET /posts/${post.id}`)).body.title.rendered).toBe('It waits');
    expect((await call(client, 'posts_create', { title: 'Too late' })).body.code).toBe('rest_release_closed');
    const unknown = await callPlugin(site, 'administrator', 'POST /host-ai-assistant/v1/tokens', {
      name: 'X',
      release: 99,
    });
    expect(unknown.body.code).toBe('rest_release_not_found');
  });

  it('accepts tokens, but no passwords', async () => {
    const authorization = site.authorization('administrator');
    const answer = await send('{}', { authorization });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await expect(connect(`1.1.${'0'.repeat(64)}`)).rejects.toThrow();
  });

  it('answers 408 when a message stops arriving', async () => {
    const authorization = `Bearer ${await tokenFor('administrator')}`;
    const sent = request(endpoint(), { method: 'POST', headers: { authorization, 'content-length': 100 } });
    sent.on('error', () => undefined);
    sent.write('{"jsonrpc":');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, JSON.parse(await text(response)).error.message]).toEqual([
      ...[408, 'The message took too long to arrive.'],
    ]);
    sent.destroy();
  });

  it('refuses malformed messages with a matching status', async () => {
    const authorization = `Bearer ${await tokenFor('administrator')}`;
    const accept = 'application/json, text/event-stream';
    const headers = { authorization, accept, 'content-type': 'application/json' };
    const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
    expect(await statusOf('{', headers)).toBe(400);
    expect(await statusOf('[]', headers)).toBe(400);
    expect(await statusOf('7', headers)).toBe(400);
    expect(await statusOf(`${'['.repeat(100_000)}`, headers)).toBe(400);
    expect(await statusOf('{}', { ...headers, accept: 'text/html' })).toBe(406);
    expect(await statusOf('{}', { ...headers, origin: 'http://elsewhere.example' })).toBe(403);
    expect(await statusOf(undefined, headers, 'GET')).toBe(405);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"posts_list","arguments":{"include":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;
    expect(await statusOf(deep, headers)).toBe(200);
  });
});

describe('the MCP tools', () => {
  it('are the routes of posts, pages, terms and search, with their parameters', async () => {
    const client = await connect(await tokenFor('administrator'));
    const { tools } = await client.listTools();
    const kinds = ['pages', 'posts'].flatMap((kind) => [
      ...[`${kind}_create`, `${kind}_get`, `${kind}_list`],
      ...[`${kind}_revisions_diff`, `${kind}_revisions_get`, `${kind}_revisions_list`, `${kind}_revisions_restore`],
      `${kind}_update`,
    ]);
    const terms = ['categories_get', 'categories_list', 'tags_get', 'tags_list'];
    expect(tools.map(({ name }) => name).sort()).toEqual([...kinds, ...terms, 'search', 'history_undo'].sort());
    const named = (name: string) => tools.find((tool) => tool.name === name);
    expect(named('posts_list')?.inputSchema.properties).toMatchObject({
      as_of: { type: 'string' },
      per_page: { type: 'integer', maximum: 100 },
    });
    expect(named('posts_revisions_get')?.inputSchema.required).toEqual(['parent', 'id']);
    expect(named('posts_update')?.description).toBe('Change a post');
    expect(named('posts_update')?.annotations?.readOnlyHint).toBe(false);
    expect(named('search')?.annotations?.readOnlyHint).toBe(true);
  });

  it('write drafts, and return the answers of their routes', async () => {
    const token = await tokenFor('administrator');
    const client = await connect(token);
    const made = await call(client, 'posts_create', { title: 'By a program', content: '<p>One</p>' });
    expect([made.isError, made.body.status]).toEqual([false, 'draft']);
    const { id } = made.body;
    await call(client, 'posts_update', { id, content: '<p>Two</p>' });
    const shown = await call(client, 'posts_get', { id, context: 'edit' });
    const headers = { authorization: `Bearer ${token}` };
    const route = await site.call(
      'anonymous',
      `GET /posts/${id}?context=edit&_fields=${Object.keys(shown.body)}`,
      undefined,
      {
        headers,
      },
    );
    expect(shown.body).toEqual(route.body);
    expect(shown.body.content.raw).toBe('<p>Two</p>');
    const { body: revisions, totals } = await call(client, 'posts_revisions_list', { parent: id });
    expect([revisions.length, totals]).toEqual([1, '1 in all, on 1 pages.']);
    const listed = await call(client, 'posts_list', { status: ['draft'], search: 'program', _fields: 'id' });
    expect(listed.body).toEqual([{ id }]);
    const refused = await call(client, 'posts_update', { id, status: 'publish' });
    expect([refused.isError, refused.body.code]).toEqual([true, 'rest_cannot_publish']);
    expect(await call(client, 'posts_get', { id: '1/../../users/me' }).catch(() => 'no JSON')).toBe('no JSON');
  });

  it('show earlier states', async () => {
    const id = await site.make('editor', '/pages', { title: 'Before', status: 'publish' });
    const then = site.position();
    await site.call('editor', `POST /pages/${id}`, { title: 'After' });
    const client = await connect(await tokenFor('editor'));
    const titleAt = async (more: Record<string, unknown>) =>
      (await call(client, 'pages_get', { id, ...more })).body.title.rendered;
    expect([await titleAt({}), await titleAt({ as_of: String(then) })]).toEqual(['After', 'Before']);
    expect((await call(client, 'search', { search: 'After' })).body[0].id).toBe(id);
  });

  it('have the rights of their user, and publish if the token may', async () => {
    const client = await connect(await tokenFor('author', { name: 'Publisher', publish: true }));
    const { body } = await call(client, 'posts_create', { title: 'Out', status: 'publish' });
    expect([body.status, body.author]).toEqual(['publish', 3]);
    const page = await call(client, 'pages_create', { title: 'x' });
    expect([page.isError, page.body.code]).toEqual([true, 'rest_cannot_create']);
    const headers = { authorization: site.authorization('administrator') };
    const audit = await fetch(`http://127.0.0.1:${site.port}/cms-audit/`, { headers });
    expect(await audit.text()).toContain(', MCP, token Publisher');
  });

  it('stop working when the token is revoked', async () => {
    const client = await connect(await tokenFor('editor', { name: 'Short' }));
    await call(client, 'posts_list');
    const { body } = await callPlugin(site, 'editor', 'GET /host-ai-assistant/v1/tokens');
    const { id } = body.find((one: { name: string }) => one.name === 'Short');
    await callPlugin(site, 'editor', `DELETE /host-ai-assistant/v1/tokens/${id}`);
    await expect(call(client, 'posts_list')).rejects.toThrow();
  });
});
