import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceTags, clickable, countLinks, markLinks, renderComment } from '../src/render-comment.ts';

const link = (address: string, shown = address) => `<a href="${address}" rel="nofollow ugc">${shown}</a>`;

describe('the text of a comment', () => {
  it('is rendered like that of an entry, with paragraphs', () => {
    const raw = 'First "words" & more\nline\n\nparagraph :)';
    const shown = '<p>First &#8220;words&#8221; &#038; more<br />\nline</p>\n<p>paragraph 🙂</p>\n';
    expect(renderComment(raw, 'example.org')).toBe(shown);
    expect(renderComment('', 'example.org')).toBe('');
  });

  it('has links for addresses, excluding punctuation at the end of a sentence', () => {
    expect(clickable('See https://a.example/?b=1&c=2. (http://a.example/x_(y))', 'x')).toBe(
      `See ${link('https://a.example/?b=1&#038;c=2')}. (${link('http://a.example/x_(y)')})`,
    );
    expect(clickable('www.a.example, or ada@a.example', 'x')).toBe(
      `${link('http://www.a.example')}, or <a href="mailto:ada@a.example">ada@a.example</a>`,
    );
  });

  it('has no new links inside links and code, and no nofollow for the site itself', () => {
    const untouched = ['<a href="http://a.example">http://a.example</a>', '<code>http://a.example</code>', 'no://\n'];
    for (const text of untouched) expect(clickable(text, 'x')).toBe(text);
    expect(clickable('http://a.example/b', 'a.example')).toBe(
      '<a href="http://a.example/b" rel="ugc">http://a.example/b</a>',
    );
  });

  it('has its links counted as rendered', () => {
    expect(countLinks(renderComment('www.a.example and <a href="http://b.example">b</a>', 'x'))).toBe(2);
  });

  it('has its tags balanced', () => {
    expect(balanceTags('<b>one <i>two</b> three</u>')).toBe('<b>one <i>two</i></b> three');
    expect(balanceTags('<li>one<li>two<br>')).toBe('<li>one</li><li>two<br /></li>');
    expect(balanceTags('I <3 you')).toBe('I &lt;3 you');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<b>', '</b>', '<i>', '</i>', '<div>', '</div>', '<br>', 'x', '<p/>')),
        (parts) => {
          const balanced = balanceTags(parts.join(''));
          expect(balanceTags(balanced)).toBe(balanced);
        },
      ),
    );
  });
});

describe('the links of a comment', () => {
  it('are marked once, keeping existing values of rel', () => {
    const marked = markLinks('<a href="http://a.example" rel="friend">a</a> <A href=\'/b\'>b</A>', 'x');
    expect(marked).toBe(
      '<a href="http://a.example" rel="friend nofollow ugc">a</a> <a href=\'/b\' rel="nofollow ugc">b</A>',
    );
    expect(markLinks(marked, 'x')).toContain('rel="friend nofollow ugc"');
    expect(markLinks('<a href="http://x/b">b</a> <abbr>c</abbr>', 'x')).toBe(
      '<a href="http://x/b" rel="ugc">b</a> <abbr>c</abbr>',
    );
  });
});
