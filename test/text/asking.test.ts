import { expect, it } from 'vitest';
import { type RenderOutcome, renderAsking } from '#text/asking.ts';

it('asks the server for 5,000 pieces of a text at most, and leaves further ones empty', () => {
  const render = (given: readonly object[]) => {
    const task = { kind: 'content', footnotes: '', counts: {}, given };
    return JSON.parse(renderAsking('[gallery]'.repeat(6000), JSON.stringify(task))) as RenderOutcome;
  };
  const first = render([]);
  expect('asked' in first && first.asked.length).toBe(5000);
  const last = render(Array.from({ length: 5000 }, () => ({ html: 'x', counts: {} })));
  expect('html' in last && last.html.match(/x/g)?.length).toBe(5000);
  expect(last).toMatchObject({ html: expect.not.stringContaining('gallery') });
});
