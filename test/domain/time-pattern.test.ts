import { describe, expect, it } from 'vitest';
import { formatByPattern } from '#domain/time/pattern.ts';

describe('a time formatted by a pattern', () => {
  it.each([
    ['2026-03-05T00:07:09', 'd j D l', '05 5 Thu Thursday'],
    ['2026-03-05T00:07:09', 'n m M F y Y', '3 03 Mar March 26 2026'],
    ['2026-03-05T00:07:09', 'G H g h i s a A', '0 00 12 12 07 09 am AM'],
    ['2026-12-31T12:00:00', 'g:i A', '12:00 PM'],
    ['2026-12-31T23:59:59', 'H:i, j.n.Y', '23:59, 31.12.2026'],
    ['0099-01-01T13:00:00', 'Y y', '0099 99'],
    ['2026-03-05T00:07:09', '\\Y\\\\ \\a\\t x 日', 'Y\\ at x 日'],
    ['2026-03-05T00:07:09', '', ''],
  ])('%s as %s is %s', (local, pattern, shown) => {
    expect(formatByPattern(local, pattern)).toBe(shown);
  });
});
