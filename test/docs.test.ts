import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allEvents } from '#domain/events.ts';
import { eventsPage } from '../src/docs.ts';

describe('docs/events.md', () => {
  it('is what `npm run docs` makes of the definitions', () => {
    expect(readFileSync(new URL('../docs/events.md', import.meta.url), 'utf8')).toBe(eventsPage(allEvents));
  });
});
