import { describe, expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { eventually } from '../support/patience.ts';
import { startSite } from '../support/site.ts';

const minute = 60_000;
const year = 365 * 24 * 60 * minute;
const start = Date.parse('2026-03-01T11:00:00.000Z');

/** A site whose wall clock can be set, and whose monotonic clock only advances. */
async function siteWithClock() {
  const clock = { wall: start, monotonic: 0 };
  const site = await startSite({ clock: () => clock.wall, monotonic: () => clock.monotonic });
  site.node.start();
  const goOn = (ms: number) => {
    clock.wall += ms;
    clock.monotonic += ms;
  };
  return { site, clock, goOn };
}

const tomorrow = '2026-03-02T12:00:00';

describe('a clock that leaps ahead', () => {
  it('prevents publishing and writing until it is right again', async () => {
    const { site, clock } = await siteWithClock();
    const id = await site.make('editor', '/posts', { title: 'Embargo', status: 'publish', date_gmt: tomorrow });
    const position = site.position();
    clock.wall += 10 * year;
    const refused = await site.call('editor', 'POST /posts', { title: 'Late' });
    expect(refusal(refused)).toEqual([503, 'rest_clock_leapt']);
    expect(site.node.readiness.reasons.map(({ code }) => code)).toEqual(['clock_leapt']);
    expect([site.position(), (await site.call('editor', `GET /posts/${id}`)).body.status]).toEqual([
      position,
      'future',
    ]);
    clock.wall -= 10 * year;
    expect((await site.call('editor', 'POST /posts', { title: 'Again' })).status).toBe(201);
    await eventually(() => expect(site.node.readiness.reasons).toEqual([]));
    await site.close();
  });

  it('is noticed without a write', async () => {
    const { site, clock } = await siteWithClock();
    clock.wall += 2 * minute;
    await eventually(() => expect(site.node.readiness.reasons.map(({ code }) => code)).toEqual(['clock_leapt']));
    await site.close();
  });

  it('is followed once an operator accepts it; long pauses and small steps always are', async () => {
    const { site, clock, goOn } = await siteWithClock();
    const write = async () => (await site.call('editor', 'POST /posts', { title: 'X' })).status;
    goOn(year);
    expect(await write()).toBe(201);
    clock.wall += 30_000;
    expect(await write()).toBe(201);
    clock.wall -= 10 * minute;
    expect(await write()).toBe(201);
    clock.wall += 12 * minute;
    expect(await write()).toBe(503);
    site.node.store.clock.accept();
    expect(await write()).toBe(201);
    await site.close();
  });
});

describe('a clock that is set back', () => {
  it('is followed, may return to where it was, and not beyond', async () => {
    const { site, clock } = await siteWithClock();
    const write = async () => (await site.call('editor', 'POST /posts', { title: 'X' })).status;
    const statuses: number[] = [];
    for (const minutes of [-120, 60, 60, -120, 122, -2, 2]) {
      clock.wall += minutes * minute;
      statuses.push(await write());
    }
    expect(statuses).toEqual([201, 201, 201, 201, 503, 201, 503]);
    await site.close();
  });
});

describe('a log that is ahead of the clock', () => {
  it('does not date or publish entries: they follow the clock, while event times stay in order', async () => {
    const { site, clock, goOn } = await siteWithClock();
    clock.wall += 10 * year;
    site.node.store.clock.accept();
    await site.make('editor', '/posts', { title: 'By the wrong clock', status: 'publish' });
    clock.wall -= 10 * year;
    goOn(minute);
    const { body: now } = await site.call('editor', 'POST /posts', { title: 'Now', status: 'publish' });
    expect([now.date_gmt, now.modified_gmt]).toEqual(['2026-03-01T11:01:00', '2026-03-01T11:01:00']);
    const { body: later } = await site.call('editor', 'POST /posts', {
      title: 'Later',
      status: 'publish',
      date_gmt: tomorrow,
    });
    expect(later.status).toBe('future');
    goOn(2 * 24 * 60 * minute);
    await eventually(async () => {
      expect((await site.call('editor', `GET /posts/${later.id}`)).body.status).toBe('publish');
    });
    const times = [...site.node.log.read()].map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    await site.close();
  });
});
