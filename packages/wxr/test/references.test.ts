import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapReferences, type ReferenceMap } from '../src/references.ts';

const map: ReferenceMap = {
  hosts: ['old.example', 'www.old.example', 'localhost:8080'],
  address: ({ pathname, search }) => {
    if (pathname.startsWith('/wp-content/uploads/'))
      return `https://new.example${pathname.slice('/wp-content'.length)}`;
    if (search === '?p=7') return 'https://new.example/seven/';
    return pathname === '/2019/03/a/' ? 'https://new.example/a/' : undefined;
  },
};
const numbered: ReferenceMap = { hosts: [], item: (id) => id + 1000, term: (id) => id + 2000, user: (id) => id + 3000 };

describe('addresses in a text', () => {
  it.each([
    ['a link', '<a href="https://old.example/2019/03/a/">a</a>', '<a href="https://new.example/a/">a</a>'],
    [
      'without a scheme',
      '<img src="//old.example/wp-content/uploads/a.jpg">',
      '<img src="//new.example/uploads/a.jpg">',
    ],
    ['with another scheme and www', 'http://www.old.example/2019/03/a/#c', 'https://new.example/a/#c'],
    ['at a port', '(http://localhost:8080/2019/03/a/)', '(https://new.example/a/)'],
    [
      'with a query in an attribute',
      'src="https://old.example/wp-content/uploads/a.jpg?x=1&amp;y=2"',
      'src="https://new.example/uploads/a.jpg?x=1&amp;y=2"',
    ],
    ['behind which a sentence ends', 'See https://old.example/2019/03/a/.', 'See https://new.example/a/.'],
    [
      'in a set of sizes',
      'srcset="https://old.example/wp-content/uploads/a.jpg 1x, https://old.example/wp-content/uploads/b.jpg 2x"',
      'srcset="https://new.example/uploads/a.jpg 1x, https://new.example/uploads/b.jpg 2x"',
    ],
    [
      'in escaped JSON',
      '{"url":"https:\\/\\/old.example\\/wp-content\\/uploads\\/a.jpg"}',
      '{"url":"https:\\/\\/new.example\\/uploads\\/a.jpg"}',
    ],
    [
      'in a style',
      'background:url(https://old.example/wp-content/uploads/a.jpg)',
      'background:url(https://new.example/uploads/a.jpg)',
    ],
    [
      'in a style in an attribute',
      'style="background:url(&quot;https://old.example/wp-content/uploads/a.jpg&quot;)"',
      'style="background:url(&quot;https://new.example/uploads/a.jpg&quot;)"',
    ],
    ['from the root', '<a href="/2019/03/a/?x#y">a</a>', '<a href="/a/?x#y">a</a>'],
    ['from where the text is', '<img src="../../wp-content/uploads/a.jpg">', '<img src="/uploads/a.jpg">'],
  ])('lead to where things are now: %s', (_, text, mapped) => {
    expect(mapReferences(text, map, 'https://old.example/2019/x/')).toBe(mapped);
  });

  it.each([
    'https://old.example.org/2019/03/a/',
    'https://very-old.example/2019/03/a/',
    'https://old.example/unknown/',
    'mailto:a@old.example',
    '<a href="#a">a</a> <a href="https://other.example/2019/03/a/">b</a>',
    'old.example/2019/03/a/',
  ])('stay where they lead elsewhere: %s', (text) => {
    expect(mapReferences(text, map, 'https://old.example/2019/x/')).toBe(text);
  });
});

it('values of other attributes are no addresses', () => {
  const every: ReferenceMap = {
    hosts: ['old.example'],
    address: ({ pathname }) => `https://new.example/new${pathname}`,
  };
  const plain = '<td data-align="right" data-fn="a1" data-type="URL">1</td>';
  expect(mapReferences(plain, every, 'https://old.example/x/')).toBe(plain);
  const image = '<img data-orig-file="a.png" data-src="/b.png">';
  const mapped = '<img data-orig-file="/new/x/a.png" data-src="/new/b.png">';
  expect(mapReferences(image, every, 'https://old.example/x/')).toBe(mapped);
});

describe('ids in a text', () => {
  it.each([
    [
      'an image',
      '<!-- wp:image {"id":12,"width":300} --><img class="wp-image-12 size-300">',
      '<!-- wp:image {"id":1012,"width":300} --><img class="wp-image-1012 size-300">',
    ],
    ['a synced pattern', '<!-- wp:block {"ref":5} /-->', '<!-- wp:block {"ref":1005} /-->'],
    [
      'media and text',
      '<!-- wp:media-text {"mediaId":3,"mediaWidth":50} -->',
      '<!-- wp:media-text {"mediaId":1003,"mediaWidth":50} -->',
    ],
    [
      'a block of somebody else',
      '<!-- wp:acme/hero {"imageID":3,"id":4,"height":5} -->',
      '<!-- wp:acme/hero {"imageID":1003,"id":4,"height":5} -->',
    ],
    [
      'a gallery',
      '<!-- wp:gallery {"ids":[1,2],"columns":2} --><li data-id="1">',
      '<!-- wp:gallery {"ids":[1001,1002],"columns":2} --><li data-id="1001">',
    ],
    [
      'shortcodes',
      '[gallery ids="1,2" columns="3"] [caption id="attachment_9" width="300"]',
      '[gallery ids="1001,1002" columns="3"] [caption id="attachment_1009" width="300"]',
    ],
    [
      'a link to a post',
      '<!-- wp:navigation-link {"id":7,"kind":"post-type"} /-->',
      '<!-- wp:navigation-link {"id":1007,"kind":"post-type"} /-->',
    ],
    [
      'a link to a term',
      '<!-- wp:navigation-link {"id":7,"kind":"taxonomy"} /-->',
      '<!-- wp:navigation-link {"id":2007,"kind":"taxonomy"} /-->',
    ],
    [
      'a query',
      '<!-- wp:query {"query":{"perPage":3,"exclude":[4],"author":"5","taxQuery":{"category":[6]}}} -->',
      '<!-- wp:query {"query":{"perPage":3,"exclude":[1004],"author":"3005","taxQuery":{"category":[2006]}}} -->',
    ],
  ])('are those of now: %s', (_, text, mapped) => {
    expect(mapReferences(text, numbered)).toBe(mapped);
  });

  it('leaves all else as it is, byte for byte', () => {
    const piece = fc.constantFrom(
      '<!-- wp:',
      '{"id":',
      '12',
      '} -->',
      ' ',
      '"',
      '\\',
      'image ',
      '\r\n',
      '[gallery',
      ']',
      'é',
      '-->',
      '{',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        expect(mapReferences(text, { hosts: ['old.example'], address: () => undefined, item: (id) => id })).toBe(text);
      }),
    );
  });
});
