import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClockLeapt } from '#commands/clock-guard.ts';
import { openClock } from '#node/clock.ts';
import { Readiness } from '#node/readiness.ts';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import { reporterOf } from '#process/reporter.ts';
import { visit } from '../http/audit/history.ts';
import { refusal } from '../support/history.ts';
import { carryOut } from '../support/place.ts';
import { type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const start = Date.parse('2026-03-01T11:00:00.000Z');

let site: Site;
let clock: { wall: number; monotonic: number };

beforeEach(async () => {
  clock = { wall: start, monotonic: 0 };
  site = await startSite({ clock: () => clock.wall, monotonic: () => clock.monotonic });
});

afterEach(() => site.close());

const goOn = (ms: number) => {
  clock.wall += ms;
  clock.monotonic += ms;
};

async function value(verb: string, args: unknown = {}) {
  const perform = performOn(site.node.store, verbs, (error) => expect.unreachable(String(error)));
  const outcome = await perform(verb, args);
  expect(outcome.kind).toBe('done');
  return (outcome as { value: unknown }).value;
}

/** Does something while the clock is a hundred days ahead, and corrects it a minute later. */
async function whileAhead(work: () => Promise<unknown>) {
  goOn(minute);
  clock.wall += 100 * day;
  site.node.store.clock.accept();
  await work();
  clock.wall -= 100 * day;
  goOn(minute);
}

const post = (fields: object) => site.make('editor', '/posts', { title: 'A post', ...fields });

describe('clock show and clock accept', () => {
  it('report that a clock has leapt, and make it trusted', async () => {
    expect(await value('clock show')).toMatchObject({ trusted: 'yes', leaptSeconds: 0, logAheadSeconds: 0 });
    clock.wall += day;
    expect(refusal(await site.call('editor', 'POST /posts', { title: 'Refused' }))).toEqual([503, 'rest_clock_leapt']);
    expect(await value('clock show')).toMatchObject({ trusted: 'no', leaptSeconds: 86_400 });
    expect(await value('clock accept')).toEqual({ clock: '2026-03-02T11:00:00.000Z', trusted: 'yes' });
    expect(await value('clock show')).toMatchObject({ trusted: 'yes', leaptSeconds: 0 });
    expect((await site.call('editor', 'POST /posts', { title: 'Accepted' })).status).toBe(201);
  });

  it('report how far the log is ahead, and since which position', async () => {
    const before = site.position();
    await whileAhead(() => post({}));
    expect(await value('clock show')).toMatchObject({
      ...{ trusted: 'yes', clock: '2026-03-01T11:02:00.000Z' },
      ...{ logAheadSeconds: 100 * 86_400 - 60, aheadSincePosition: before + 1 },
    });
  });
});

describe('a leap of the clock', () => {
  it('is marked in the audit on the commits of the wrong clock and those that share its time', async () => {
    await post({ title: 'Before' });
    const before = site.position();
    await whileAhead(() => post({ title: 'During' }));
    const during = site.position();
    const id = await post({ title: 'After' });
    goOn(minute);
    await site.call('editor', `PUT /posts/${id}`, { title: 'Later' });
    const after = site.position();
    goOn(101 * day);
    await post({ title: 'Caught up' });

    const { written } = await carryOut(site.directory, 'audit', { oldest: true }, { json: true });
    const records = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const marked = records.filter(({ ahead }) => ahead > 0).map(({ position }) => position);
    expect(marked).toEqual(Array.from({ length: after - before }, (_, i) => before + 1 + i));
    expect(records[before]).toMatchObject({ at: '2026-06-09T11:01:00.000Z', ahead: 100 * 86_400 - 60 });
    expect(records.filter(({ type }) => type === 'ClockFoundBehind')).toMatchObject([
      { who: 'editor', what: 'found the clock at 2026-03-01 11:02:00 (UTC), behind the time of the log' },
    ]);
    const csv = (await carryOut(site.directory, 'audit', { csv: true, oldest: true })).written.split('\r\n');
    expect([csv[0], csv[before], csv[before + 1]]).toEqual([
      expect.stringMatching(/,seconds ahead$/),
      expect.stringMatching(/,0$/),
      expect.stringMatching(/,8639940$/),
    ]);
    const timeline = (await carryOut(site.directory, 'audit', { oldest: true })).written;
    expect(timeline.match(/the time is 99 days ahead of the clock/g)?.length).toBeGreaterThan(2);
    expect((await visit(site, `things/entry-${id}`)).text).toContain('99 days ahead of the clock');
    expect(await value('clock leaps')).toEqual([
      {
        ...{ from: before + 1, to: after, time: '2026-06-09T11:01:00.000Z' },
        ...{ noticed: expect.any(Number), clock: '2026-03-01T11:02:00.000Z', seconds: 100 * 86_400 - 60 },
      },
    ]);
    expect(during).toBeLessThan(after);
  });

  it('is not assumed for entries dated long ago', async () => {
    await post({ title: 'Old', status: 'publish', date_gmt: '2001-01-01T00:00:00' });
    const { written } = await carryOut(site.directory, 'audit', {}, { json: true });
    expect(written).not.toMatch(/"ahead":[^0]/);
    expect(await value('clock leaps')).toEqual([]);
  });
});

describe('clock.json', () => {
  /** The clock of a start on a data directory; `ahead`: milliseconds by which the system's is. */
  const startOn = (dataDir: string, ahead = 0) =>
    openClock({
      ...{ dataDir, tolerance: minute, readiness: new Readiness(), reporter: reporterOf() },
      clock: () => Date.now() + ahead,
    });

  it('lets a start detect that the clock has leapt since the last one', () => {
    const directory = temporaryDirectory();
    startOn(directory).save();
    expect(startOn(directory).guard.time()).toBeGreaterThan(0);
    const later = startOn(directory, 60 * minute);
    expect(() => later.guard.time()).toThrow(ClockLeapt);
    // A clock that is not trusted is not saved, so that the next start detects it, too.
    later.save();
    expect(() => startOn(directory, 60 * minute).guard.time()).toThrow(ClockLeapt);
    later.guard.accept();
    later.save();
    expect(startOn(directory, 60 * minute).guard.time()).toBeGreaterThan(0);
  });

  it('lets a clock that was set back return, but go no further', () => {
    const directory = temporaryDirectory();
    startOn(directory).save();
    for (const save of [true, false]) {
      const back = startOn(directory, -120 * minute);
      expect(back.guard.time()).toBeLessThan(Date.now());
      if (save) back.save();
      expect(() => startOn(directory, 60 * minute).guard.time()).toThrow(ClockLeapt);
      const returned = startOn(directory);
      expect(returned.guard.time()).toBeGreaterThan(0);
      returned.save();
    }
  });

  it.each<[string, (path: string) => void]>([
    ['gone', (path) => rmSync(path)],
    ['damaged', (path) => writeFileSync(path, '{"boot":')],
    ['of another boot', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/"boot":"/, '$&other'))],
  ])('does not affect the clock when it is %s', (_, change) => {
    const directory = temporaryDirectory();
    startOn(directory).save();
    change(join(directory, 'clock.json'));
    expect(startOn(directory, 60 * minute).guard.time()).toBeGreaterThan(0);
  });
});
