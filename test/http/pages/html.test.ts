import { expect, it } from 'vitest';
import { asHtml, html, replaceFirst } from '#text/html.ts';

it('keeps a long content as it is between the pieces of templates', () => {
  const long = '<p>x</p>'.repeat(10_000);
  const { pieces, markup } = html`<main>${[html`<h1>${'a & b'}</h1>`, asHtml(long)]}</main>`;
  expect(pieces).toEqual(['<main><h1>a &amp; b</h1>', long, '</main>']);
  expect(markup).toBe(pieces.join(''));
});

it('begins a new piece when many short contents have become long', () => {
  const { pieces, markup } = html`${Array.from({ length: 30_000 }, () => html`<li>x</li>`)}`;
  expect(markup).toBe('<li>x</li>'.repeat(30_000));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(100_000);
});

it('replaces the first match in pieces, and no other', () => {
  expect(replaceFirst(['a', 'b<body>', '<body>'], /<body>/, (tag) => `${tag}!`)).toEqual(['a', 'b<body>!', '<body>']);
});
