import { describe, expect, it } from 'vitest';
import { addressesIn, relinked, relinkedPaths, withoutForms } from '#text/relink.ts';

const upper = (address: string) => {
  if (address.startsWith('gone')) return null;
  return address.startsWith('own') ? address.toUpperCase() : undefined;
};

describe('the addresses of a page', () => {
  it.each([
    ['<a class="x" href="own/a?b=1&amp;c=2">t</a>', '<a class="x" href="OWN/A?B=1&amp;C=2">t</a>'],
    ["<img alt='a > b' src='own/i.png' />", '<img alt=\'a > b\' src="OWN/I.PNG" />'],
    ['<img srcset="own/1.png 300w, other.png 2x" src="x">', '<img srcset="OWN/1.PNG 300w, other.png 2x" src="x">'],
    ['<p style="background: url(own/b.png)">own</p>', '<p style="background: url(OWN/B.PNG)">own</p>'],
    ['<a href="gone/x">words</a>', '<a>words</a>'],
    ['<link rel="alternate" href="gone/x">', ''],
    ['<img src="gone.png">', '<img src="gone.png">'],
    ['<link rel="canonical" href="own/x">', '<link rel="canonical" href="own/x">'],
    ['1 < 2 <a href="elsewhere">', '1 < 2 <a href="elsewhere">'],
  ])('%s', (page, expected) => {
    expect(relinked(page, upper)).toBe(expected);
  });

  it('without the address of the site are those of links and forms', () => {
    const page = `<a title="a > b" href="/b">/b</a><form action='/c'><form action="/d"><a href="//e"><img src="/f">`;
    const expected = page.replace('"/b"', '"/x/b"').replace('"/d"', '"/x/d"');
    expect(relinkedPaths(page, (path) => `/x${path}`)).toBe(expected);
  });

  it('can be listed', () => {
    const page = '<a href="a"><img src="b" srcset="c 1x, d 2x"></a>';
    expect([...addressesIn(page)]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are removed with their forms', () => {
    expect(withoutForms('a<form action="x"><input></form>b<FORM></FORM>')).toBe('ab');
  });
});
