import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recencyOf } from '#http/app/host.ts';
import { eventually } from '../support/patience.ts';
import { type Site, startSite } from '../support/site.ts';
import { type StandIn, startStandIn } from '../support/stand-in/server.ts';
import { quick } from '../support/wire-store.ts';

const post = { title: 'Hello', status: 'publish' };
let standIn: StandIn;
let one: Site;
let two: Site;

beforeAll(async () => {
  standIn = await startStandIn();
  const env = { EVENTSTORE_URL: standIn.url };
  const timings = { ...quick, appendTimeout: 1500 };
  one = await startSite({ env: { ...env, POSITION_WAIT: '300' }, timings });
  two = await startSite({ env: { ...env, POSITION_WAIT: '60000' }, timings, users: 'there' });
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  standIn.close();
});

const seen = (position: number | string) => ({ headers: { 'x-cms-position': String(position) } });

describe('a request with X-CMS-Position', () => {
  it('is answered at that position or later, on any node', async () => {
    for (let k = 0; k < 20; k++) {
      const made = await one.call('editor', 'POST /posts', post);
      const position = Number(made.headers.get('x-cms-position'));
      const read = await two.call('anonymous', `GET /posts/${made.body.id}`, undefined, seen(position));
      expect([read.status, read.body.id]).toEqual([200, made.body.id]);
    }
  });

  it('answers 503 rest_position_not_reached when the position does not arrive in time', async () => {
    const read = await one.call('anonymous', 'GET /posts', undefined, seen(1_000_000));
    expect([read.status, read.body.code]).toEqual([503, 'rest_position_not_reached']);
    expect(read.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('may be a write, which is then not executed', async () => {
    const before = one.position();
    const write = await one.call('editor', 'POST /posts', post, seen(1_000_000));
    expect([write.status, write.body.code]).toEqual([503, 'rest_position_not_reached']);
    expect(one.position()).toBe(before);
    const made = await one.call('editor', 'POST /posts', post, seen(before));
    expect(made.status).toBe(201);
  });

  for (const odd of ['', '-1', '1.5', 'latest', '9'.repeat(30)]) {
    it(`answers 400 for the position ${JSON.stringify(odd)}`, async () => {
      const read = await one.call('anonymous', 'GET /posts', undefined, seen(odd));
      expect([read.status, read.body.code]).toEqual([400, 'rest_invalid_position']);
    });
  }
});

describe('commits of other nodes', () => {
  it('are fetched early when somebody reads, at the interface or the pages, but not on writes', async () => {
    const asked = vi.spyOn(two.node.store, 'asked');
    await two.call('editor', 'POST /posts', post);
    expect(asked).not.toHaveBeenCalled();
    await two.call('anonymous', 'GET /posts');
    expect(asked).toHaveBeenCalledTimes(1);
    await fetch(`http://127.0.0.1:${two.port}/`);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });
});

describe('a node that has lost its connection to the log', () => {
  it('serves reads with X-CMS-Age, refuses writes, and recovers by itself', async () => {
    const made = await one.call('editor', 'POST /posts', post);
    const isCurrent = async () => {
      const read = await one.call('anonymous', `GET /posts/${made.body.id}`);
      expect([read.status, read.headers.get('x-cms-age')]).toEqual([200, null]);
    };
    await eventually(isCurrent);
    standIn.stop();
    await eventually(async () => {
      const read = await one.call('anonymous', `GET /posts/${made.body.id}`);
      expect([read.status, read.headers.get('x-cms-age')]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    });
    const page = await fetch(`http://127.0.0.1:${one.port}/`);
    expect([page.status, page.headers.get('x-cms-age')]).toEqual([200, expect.stringMatching(/^\d+$/)]);
    const write = await one.call('editor', 'POST /posts', post);
    expect([write.status, write.body.code]).toEqual([503, 'rest_store_unavailable']);
    expect(write.headers.get('retry-after')).toMatch(/^\d+$/);
    await standIn.start();
    await eventually(async () => expect((await one.call('editor', 'POST /posts', post)).status).toBe(201));
    await eventually(isCurrent);
  });

  it('reports its age when it is disconnected or when its copy falls behind', () => {
    const ageOf = (connected: boolean, ageMs: number) =>
      recencyOf({ store: one.node.store, replica: { connected, ageMs } }, 0).ageMs();
    expect([ageOf(true, 0), ageOf(true, 900), ageOf(true, 1001), ageOf(false, 300)]).toEqual([0, 0, 1001, 300]);
  });

  it('sends X-CMS-Age before it notices that the log is silent', async () => {
    standIn.faults.silent = true;
    await eventually(async () => {
      const read = await one.call('anonymous', 'GET /posts');
      expect(Number(read.headers.get('x-cms-age'))).toBeGreaterThanOrEqual(2);
      expect(one.node.replica?.connected).toBe(true);
    });
    standIn.faults.silent = false;
    await eventually(async () => {
      expect((await one.call('anonymous', 'GET /posts')).headers.get('x-cms-age')).toBeNull();
    });
  });

  it('reports an append of unknown outcome as rest_outcome_unknown', async () => {
    standIn.faults.appends.push(...Array.from({ length: 1000 }, () => 'unavailable' as const));
    const write = await one.call('editor', 'POST /posts', post);
    standIn.faults.appends.length = 0;
    expect([write.status, write.body.code]).toEqual([503, 'rest_outcome_unknown']);
    await eventually(async () => expect((await one.call('editor', 'POST /posts', post)).status).toBe(201));
  });
});
