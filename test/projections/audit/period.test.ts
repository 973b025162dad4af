import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { momentNamed } from '#domain/time/local.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { openMemoryStore } from '../../support/memory/store.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', '-09:30');

describe('a period', () => {
  it('covers its days exactly: the next day begins one millisecond after its end', () => {
    fc.assert(
      fc.property(day, zone, (text, where) => {
        const next = new Date(Date.parse(text) + 86_400_000).toISOString().slice(0, 10);
        const [end, start] = [momentNamed(text, 'end', where) ?? '', momentNamed(next, 'start', where) ?? ''];
        expect(Date.parse(start) - Date.parse(end)).toBe(1);
      }),
    );
  });

  it.each([
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2026-03-01T12:00:00', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.999Z'],
    ['2026-03-01T12:00', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.999Z'],
    ['2026-03-01 12:00', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.999Z'],
    ['2026-03-01T12:00Z', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.999Z'],
    ['2026-03-01T12:00-05:30', '2026-03-01T17:30:00.000Z', '2026-03-01T17:30:00.999Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.999Z'],
  ])('%s is in the site’s time zone unless it names UTC', (text, start, end) => {
    expect([momentNamed(text, 'start', 'Europe/Berlin'), momentNamed(text, 'end', 'Europe/Berlin')]).toEqual([
      start,
      end,
    ]);
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-02-30T12:00:00',
    '2026-00-01T12:00:00Z',
    'yesterday',
    '12',
    '2026-03-01 noon',
  ])('is refused for %j', (from) => {
    const found = positionsOf({ from }, { log: openMemoryStore(), zone: 'UTC' });
    expect(isRefusal(found) && found.code).toBe('invalid_period');
  });

  it('is converted to the positions of the events committed in it', async () => {
    const log = openMemoryStore();
    const at = (time: string, id: string) => ({
      ...{ id, at: time, actor: null, correlationId: id, causationId: null },
      events: [{ stream: 'site', type: 'SiteConfigured', v: 1, data: '{}', sealed: null }],
    });
    await log.append(
      [
        at('2026-02-28T23:59:59.999Z', 'a'),
        at('2026-03-01T00:00:00.000Z', 'b'),
        at('2026-03-01T23:59:59.999Z', 'c'),
        at('2026-03-02T00:00:00.000Z', 'd'),
      ],
      0,
    );
    const within = (from?: string, to?: string) => positionsOf({ from, to }, { log, zone: 'UTC' });
    expect(within('2026-03-01', '2026-03-01')).toEqual({ low: 2, high: 3 });
    expect(within('2026-03-01')).toEqual({ low: 2, high: 4 });
    expect(within(undefined, '2026-02-28')).toEqual({ low: 1, high: 1 });
    expect(within('2027-01-01')).toEqual({ low: 5, high: 4 });
  });
});
