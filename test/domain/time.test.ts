import { describe, expect, it } from 'vitest';
import { addSeconds, gmtNow, parseDate, resolveDate, secondsBetween, toGmt, toLocal } from '#domain/time/local.ts';

const BERLIN = 'Europe/Berlin';

describe('the clock of a time zone', () => {
  it.each([
    ['winter', BERLIN, '2015-01-02T02:04:05', '2015-01-02T03:04:05'],
    ['summer', BERLIN, '2015-07-02T01:04:05', '2015-07-02T03:04:05'],
    ['the second before the hour is skipped', BERLIN, '2015-03-29T00:59:59', '2015-03-29T01:59:59'],
    ['the second after it', BERLIN, '2015-03-29T01:00:00', '2015-03-29T03:00:00'],
    ['the last second of summer time', BERLIN, '2015-10-25T00:59:59', '2015-10-25T02:59:59'],
    ['the first of winter time', BERLIN, '2015-10-25T01:00:00', '2015-10-25T02:00:00'],
    ['the other half of the world', 'Pacific/Auckland', '2015-12-31T23:00:00', '2016-01-01T12:00:00'],
    ['an offset of half an hour', 'Asia/Kolkata', '2015-01-01T00:00:00', '2015-01-01T05:30:00'],
    ['a year before time zones existed', BERLIN, '1799-12-31T23:06:32', '1800-01-01T00:00:00'],
    ['a distant year', BERLIN, '2999-07-01T12:00:00', '2999-07-01T14:00:00'],
    ['summer time for a few weeks', 'Africa/Cairo', '2010-09-20T12:00:00', '2010-09-20T15:00:00'],
    ['UTC', 'UTC', '2015-07-02T01:04:05', '2015-07-02T01:04:05'],
    ['a fixed offset', '+02:00', '2015-01-01T23:00:00', '2015-01-02T01:00:00'],
    ['a negative offset', '-03:30', '2015-01-01T01:00:00', '2014-12-31T21:30:00'],
  ])('shows %s', (_, zone, gmt, local) => {
    expect(toLocal(gmt, zone)).toBe(local);
  });

  it.each([
    ['winter', BERLIN, '2015-01-02T03:04:05', '2015-01-02T02:04:05'],
    ['summer', BERLIN, '2015-07-02T03:04:05', '2015-07-02T01:04:05'],
    ['a time that is skipped: later by the gap', BERLIN, '2015-03-29T02:30:00', '2015-03-29T01:30:00'],
    ['the beginning of the gap', BERLIN, '2015-03-29T02:00:00', '2015-03-29T01:00:00'],
    ['the end of the gap', BERLIN, '2015-03-29T03:00:00', '2015-03-29T01:00:00'],
    ['a time that comes twice: the second time', BERLIN, '2015-10-25T02:30:00', '2015-10-25T01:30:00'],
    ['the time before it', BERLIN, '2015-10-25T01:59:59', '2015-10-24T23:59:59'],
    ['the time after it', BERLIN, '2015-10-25T03:00:00', '2015-10-25T02:00:00'],
    ['a day that is skipped', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00'],
    ['a fixed offset', '+05:45', '2015-01-01T05:45:00', '2015-01-01T00:00:00'],
  ])('is read in %s', (_, zone, local, gmt) => {
    expect(toGmt(local, zone)).toBe(gmt);
  });

  it('is refused for an unknown zone', () => {
    expect(() => toLocal('2015-01-01T00:00:00', 'Nowhere/Here')).toThrow(RangeError);
  });
});

describe('a date', () => {
  it.each([
    ['2015-01-02T03:04:05', '2015-01-02T03:04:05'],
    ['2015-01-02 03:04:05', '2015-01-02T03:04:05'],
    ['2015-01-02t03:04:05', '2015-01-02T03:04:05'],
    ['2015-01-02T03:04:05.999', '2015-01-02T03:04:05'],
    ['2015-02-30T00:00:00', '2015-03-02T00:00:00'],
    ['2016-02-30T00:00:00', '2016-03-01T00:00:00'],
    ['2015-04-31T00:00:00', '2015-05-01T00:00:00'],
    ['2015-01-01T24:00:00', '2015-01-02T00:00:00'],
    ['2015-12-31T24:59:60', '2016-01-01T01:00:00'],
    ['2015-00-10T00:00:00', '2014-12-10T00:00:00'],
    ['2015-03-00T00:00:00', '2015-02-28T00:00:00'],
    ['2015-00-00T00:00:00', '2014-11-30T00:00:00'],
    ['1970-01-01T00:00:00', '1970-01-01T00:00:00'],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00'],
    ['9999-12-31T23:59:59', '9999-12-31T23:59:59'],
  ])('%s is local to the site: %s', (text, value) => {
    expect(parseDate(text)).toEqual({ kind: 'local', value });
  });

  it.each([
    ['2015-07-02T03:04:05Z', '2015-07-02T03:04:05'],
    ['2015-01-02T03:04:05+05:30', '2015-01-01T21:34:05'],
    ['2015-07-02T23:30:00-04:00', '2015-07-03T03:30:00'],
    ['2015-01-02T03:04:05+02', '2015-01-02T01:04:05'],
    ['2015-01-02 03:04:05.5-00:00', '2015-01-02T03:04:05'],
  ])('%s is an instant: %s', (text, gmt) => {
    expect(parseDate(text)).toEqual({ kind: 'instant', gmt });
  });

  it.each([
    ...['', 'tomorrow', '2015-07-02', '02/07/2015', '2015-07-02T03:04', '2015-7-2T03:04:05', '15-07-02T03:04:05'],
    ...[
      '2015-13-01T00:00:00',
      '2015-01-32T00:00:00',
      '2015-07-02T25:00:00',
      '2015-07-02T00:60:00',
      '2015-07-02T00:00:61',
    ],
    ...['2015-01-02T03:04:05z', '2015-01-02T03:04:05+2:00', '2015-01-02T03:04:05+0200', '2015-01-02T03:04:05+25:00'],
    ...[
      '2015-01-02T03:04:05.',
      '2015-01-02T03:04:05,5',
      ' 2015-01-02T03:04:05',
      '2015-01-02T03:04:05 ',
      '2015-01-02_03:04:05',
    ],
    ...['9999-12-31T24:00:00', '0000-00-00T00:00:00'],
  ])('%j is invalid', (text) => {
    expect(parseDate(text)).toBeNull();
    expect(resolveDate(text, 'date', BERLIN)).toBeNull();
  });

  it.each([
    ['date', '2015-01-02T03:04:05', '2015-01-02T03:04:05', '2015-01-02T02:04:05'],
    ['date_gmt', '2015-01-02T03:04:05', '2015-01-02T04:04:05', '2015-01-02T03:04:05'],
    ['date', '2015-01-02T03:04:05+05:30', '2015-01-01T22:34:05', '2015-01-01T21:34:05'],
    ['date_gmt', '2015-01-02T03:04:05+05:30', '2015-01-01T22:34:05', '2015-01-01T21:34:05'],
    ['date', '2015-03-29T02:30:00', '2015-03-29T03:30:00', '2015-03-29T01:30:00'],
    ['date', '2015-10-25T02:30:00', '2015-10-25T02:30:00', '2015-10-25T01:30:00'],
    ['date_gmt', '2015-10-25T00:30:00', '2015-10-25T02:30:00', '2015-10-25T00:30:00'],
    ['date', '1970-01-01T00:00:00', '1970-01-01T00:00:00', '1969-12-31T23:00:00'],
  ] as const)('as %s %s is %s, in UTC %s', (field, text, local, gmt) => {
    expect(resolveDate(text, field, BERLIN)).toEqual({ local, gmt });
  });

  it('lies in the years 1 to 9999, whatever the zone', () => {
    expect(resolveDate('0000-06-01T00:00:00', 'date', BERLIN)).toBeNull();
    expect(resolveDate('9999-12-31T23:59:59', 'date_gmt', BERLIN)).toEqual({
      local: '9999-12-31T23:59:59',
      gmt: '9999-12-31T23:59:59',
    });
    expect(resolveDate('9999-12-31T23:59:59', 'date', BERLIN)?.gmt).toBe('9999-12-31T22:59:59');
    expect(resolveDate('0001-01-01T00:00:00', 'date_gmt', 'America/New_York')?.local).toBe('0001-01-01T00:00:00');
  });
});

describe('times in UTC', () => {
  it('are made of milliseconds without their fraction', () => {
    expect(gmtNow(Date.UTC(2024, 1, 29, 12, 0, 1, 999))).toBe('2024-02-29T12:00:01');
    expect(gmtNow(-1)).toBe('1969-12-31T23:59:59');
  });

  it('can be added to and subtracted', () => {
    expect(addSeconds('2023-12-31T23:59:59', 1)).toBe('2024-01-01T00:00:00');
    expect(addSeconds('2024-03-01T00:00:00', -86_400)).toBe('2024-02-29T00:00:00');
    expect(secondsBetween('2024-02-28T00:00:00', '2024-03-01T00:00:30')).toBe(2 * 86_400 + 30);
    expect(secondsBetween('2024-01-01T00:00:01', '2024-01-01T00:00:00')).toBe(-1);
  });
});
