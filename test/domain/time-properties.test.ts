import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addSeconds, gmtNow, parseDate, secondsBetween, toGmt, toLocal } from '#domain/time/local.ts';

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
  '+02:00',
  '-11:15',
);
const instant = fc
  .integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 })
  .map((seconds) => gmtNow(seconds * 1000));
const any = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19));

describe('times', () => {
  it('convert to local time and back, to the later one if the local time is ambiguous', () => {
    fc.assert(
      fc.property(instant, zone, (gmt, name) => {
        const local = toLocal(gmt, name);
        const back = toGmt(local, name);
        expect(toLocal(back, name)).toBe(local);
        expect(back >= gmt).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('that the local clock skips are moved later, never earlier', () => {
    fc.assert(
      fc.property(instant, zone, (local, name) => {
        expect(toLocal(toGmt(local, name), name) >= local).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('agree with those of the platform', () => {
    fc.assert(
      fc.property(any, (time) => {
        expect(gmtNow(Date.parse(`${time}Z`))).toBe(time);
        expect(parseDate(time)).toEqual({ kind: 'local', value: time });
      }),
    );
  });

  it('are as far apart as the seconds added', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -1e9, max: 1e9 }), (time, seconds) => {
        expect(secondsBetween(time, addSeconds(time, seconds))).toBe(seconds);
      }),
    );
  });
});
