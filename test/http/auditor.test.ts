import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, endAccount } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { sourceOf } from '#http/feed/source.ts';
import { routeTemplate } from '#http/openapi/place.ts';
import { allRoutes } from '#http/tables/all.ts';
import { eventually } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf } from '../support/uploads.ts';

const PASSWORD = 'vellum-and-ink';
const AUDITOR = 6;

let site: Site;
let credentials = '';
let other = '';

/** Adds an auditor, and something of every kind that routes show. */
beforeAll(async () => {
  site = await startSite();
  credentials = await auditor('hilda');
  other = await auditor('aelfric');
  const make = (path: string, body: unknown) => site.make('administrator', path, body);
  const post = await make('/posts', { title: 'One', content: 'Text', status: 'publish' });
  await site.call('administrator', `PUT /posts/${post}`, { content: 'Other text' });
  await make('/posts', { title: 'Locked', status: 'publish', password: PASSWORD });
  await make('/posts', { title: 'Draft' });
  await make('/pages', { title: 'Page', status: 'private' });
  await make('/blocks', { title: 'Pattern', content: 'x', status: 'publish' });
  await make('/categories', { name: 'Hymns' });
  await make('/comments', { post, content: 'Well said', author_name: 'Reader', author_email: 'reader@example.org' });
  await site.call('administrator', `POST /posts/${post}/autosaves`, { content: 'Third text' });
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
  await site.call('administrator', 'POST /media', pngOf(4, 4), { headers });
  await site.call('administrator', 'POST /cms-json/webhooks/v1/hooks', { address: 'http://192.0.2.1/' });
}, 60_000);
afterAll(() => site.close());

async function auditor(login: string, until?: string): Promise<string> {
  const { value } = await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
    addUser(session, { login, role: 'auditor', email: `${login}@example.org`, until }),
  );
  if (isRefusal(value)) throw new Error(value.message);
  return `Basic ${Buffer.from(`${login}:${value.password}`).toString('base64')}`;
}

const call = (request: string, body?: unknown, authorization = credentials) =>
  site.call('anonymous', request, body, { headers: { authorization } });

interface Place {
  readonly method: string;
  readonly path: string;
  readonly pattern: string;
}

/** Highest number of an item that exists. */
const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** A request to each endpoint of the interface, and of those with a number in their path, one for each number. */
function places(): readonly Place[] {
  const { store } = site.node;
  const uploads = store.uploads;
  const origins = undefined;
  const hooks = { ...store.hooks, mayReach: () => true };
  const routes = allRoutes({
    ...{ clock: () => site.clock.now, source: sourceOf(store), uploads, hooks, prove: store.prove, uses: store.uses },
    audit: { store, origins },
  });
  return routes.flatMap((route) => {
    const { path, names } = routeTemplate(route);
    const numbered = names.length === 0 ? [path] : ids.map((id) => fill(path, names, String(id)));
    return route.endpoints.flatMap(({ methods }) =>
      methods.flatMap((method) => numbered.map((one) => ({ method, path: one, pattern: route.pattern }))),
    );
  });
}

const words: Readonly<Record<string, string>> = {
  type: 'post',
  taxonomy: 'category',
  status: 'publish',
  location: 'primary',
  field: 'title',
};

function fill(path: string, names: readonly string[], id: string): string {
  return names.reduce((text, name, i) => text.replace(`{${name}}`, words[name] ?? (i === 0 ? id : '1')), path);
}

/** Whatever an auditor must not change: the log, and what the node notes, except what it notes of his own reads. */
function standing(): unknown {
  const { log, store } = site.node;
  const rows = (['origins', 'hooks', 'feeds'] as const).map((table) => store.nodeFile.rows(table));
  const { reader } = store;
  return [log.head().position, createHash('sha256').update(JSON.stringify([rows, reader.users()])).digest('hex')];
}

/** What may differ: an auditor has no links to what only writers can do. */
function withoutActions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutActions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'targetHints' && !/:action-|^curies$/.test(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutActions(one)]));
}

describe('an auditor', () => {
  it('changes nothing by any route of the interface', async () => {
    const before = standing();
    const all = places().filter(({ method }) => method !== 'GET');
    expect(all.length).toBeGreaterThan(500);
    const wrong: unknown[] = [];
    for (const { method, path } of all) {
      for (const body of [{ title: 'x', name: 'x', force: true, requests: [] }, undefined]) {
        const { status } = await call(`${method} /cms-json${path}${method === 'DELETE' ? '?force=true' : ''}`, body);
        if (![401, 403, 404].includes(status)) wrong.push([method, path, status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(standing()).toEqual(before);
  }, 240_000);
});
