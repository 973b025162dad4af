import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allEvents } from '#domain/events.ts';
import { eventsPage, interfacePage } from '../src/ops/docs.ts';

const page = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('docs/events.md', () => {
  it('is what `npm run docs` makes of the definitions', () => {
    expect(page('events.md')).toBe(eventsPage(allEvents));
  });
});

describe('docs/api.md', () => {
  it('is what `npm run docs` makes of the tables of routes', async () => {
    expect(page('api.md')).toBe(await interfacePage());
  });
});
