import { expect, it } from 'vitest';
import { reporterOf } from '#process/reporter.ts';
import { openNodeFile } from '../../src/node/node-file.ts';
import { openReadings } from '../../src/node/readings.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const dayLength = 24 * 60 * 60 * 1000;

function opened(days: number) {
  const clock = { now: Date.parse('2026-03-01T11:00:00Z') };
  const file = openNodeFile(temporaryDirectory(), reporterOf());
  const readings = openReadings({ file, clock: () => clock.now, days, reporter: reporterOf() });
  return { clock, file, readings, note: (item: string) => readings.note({ user: 2, route: 'r', item }) };
}

it('what auditors read is one row for each address and day, and is forgotten', () => {
  const { clock, file, readings, note } = opened(10);
  for (const item of ['/a', '/a', '/b']) note(item);
  expect(readings.all().map(({ item, times }) => [item, times])).toEqual([
    ['/a', 2],
    ['/b', 1],
  ]);
  clock.now += dayLength;
  for (const item of ['/a', `/${'x'.repeat(1000)}`]) note(item);
  expect(readings.all().map(({ day, item, times }) => [day, item.length, times])).toEqual([
    ['2026-03-02', 2, 1],
    ['2026-03-02', 200, 1],
    ['2026-03-01', 2, 2],
    ['2026-03-01', 2, 1],
  ]);
  clock.now += 9.5 * dayLength;
  expect(readings.all().map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-02']);
  readings.close();
  file.close();
});

it('what auditors read has a limit, and is not noted where nothing is kept', () => {
  const { clock, file, readings, note } = opened(10);
  for (let i = 0; i < 50_010; i += 1) {
    clock.now += 1;
    note(`/${i}`);
  }
  const all = readings.all();
  expect([all.length, all[0]?.item, all.at(-1)?.item]).toEqual([50_000, '/50009', '/10']);
  file.close();
  const none = opened(0);
  none.note('/a');
  expect(none.readings.all()).toEqual([]);
  none.file.close();
});
