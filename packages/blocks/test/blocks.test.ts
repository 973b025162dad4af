import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, hasBlocks, normaliseBlocks, parseBlocks } from '../src/blocks.ts';
import { testRows, unchanged } from './rows.ts';

/** A parsed text in short: names with their contents. */
function outline(blocks: readonly (Block | string)[]): unknown[] {
  return blocks.map((part) => {
    if (typeof part === 'string') return part;
    return part.name === null ? part.parts.join('') : { [part.name]: outline(part.parts) };
  });
}

describe('block markup', () => {
  it('is recognised by the beginning of a delimiter', () => {
    expect(hasBlocks('a <!-- wp:b /-->')).toBe(true);
    expect(hasBlocks('a <!-- wp: -->')).toBe(true);
    expect(hasBlocks('a <!--wp:b /--> <!-- more -->')).toBe(false);
  });

  it('is parsed into blocks and the text between them', () => {
    expect(outline(parseBlocks('a<!-- wp:b -->c<!-- /wp:b -->\n<!-- wp:x/y /-->d'))).toEqual([
      'a',
      { 'core/b': ['c'] },
      '\n',
      { 'x/y': [] },
      'd',
    ]);
  });

  it('nests', () => {
    expect(outline(parseBlocks('<!-- wp:a -->1<!-- wp:b -->2<!-- wp:c /--><!-- /wp:b -->3<!-- /wp:a -->'))).toEqual([
      { 'core/a': ['1', { 'core/b': ['2', { 'core/c': [] }] }, '3'] },
    ]);
  });

  it('closes the innermost block, whatever the name in the end delimiter', () => {
    expect(outline(parseBlocks('<!-- wp:a --><!-- wp:b -->1<!-- /wp:a -->2<!-- /wp:b -->'))).toEqual([
      { 'core/a': [{ 'core/b': ['1'] }, '2'] },
    ]);
  });

  it('ends unclosed blocks at the end of the text', () => {
    expect(outline(parseBlocks('<!-- wp:a -->1<!-- wp:b -->2'))).toEqual([{ 'core/a': ['1', { 'core/b': ['2'] }] }]);
  });

  it('is plain text after an unmatched end delimiter', () => {
    expect(outline(parseBlocks('1<!-- /wp:a --><!-- wp:b /-->'))).toEqual(['1<!-- /wp:a --><!-- wp:b /-->']);
  });

  it.each([
    ['no blank before the name', '<!--wp:a -->'],
    ['no blank after the name', '<!-- wp:a-->'],
    ['a capital', '<!-- wp:A -->'],
    ['a second slash', '<!-- wp:a/b/c -->'],
    ['a digit in front', '<!-- wp:1a -->'],
    ['no brace at the end of the attributes', '<!-- wp:a {"b":1 -->'],
    ['no blank after the attributes', '<!-- wp:a {"b":1}-->'],
  ])('is not recognised with %s', (_, text) => {
    expect(outline(parseBlocks(text))).toEqual([text]);
  });

  it('allows braces in attributes, and text that looks like their end', () => {
    const [block] = parseBlocks('<!-- wp:a {"b":"} x {","c":{"d":{}}} -->1<!-- /wp:a -->');
    expect(block?.json).toBe('{"b":"} x {","c":{"d":{}}}');
  });

  it('is unchanged when normalised', () => {
    const name = fc.constantFrom('paragraph', 'x/y', 'a-b_1');
    const attributes = fc.constantFrom('', '{"a":1} ', '{"b":"é/ü","c":[true,null]} ');
    const text = fc.letrec<{ text: string; block: string }>((tie) => ({
      text: fc
        .array(fc.oneof({ depthSize: 'small' }, fc.constantFrom('a', '<p>b</p>', '\n'), tie('block')), { maxLength: 4 })
        .map((parts) => parts.join('')),
      block: fc
        .tuple(name, attributes, tie('text'))
        .map(([n, a, inner]) =>
          inner === '' ? `<!-- wp:${n} ${a}/-->` : `<!-- wp:${n} ${a}-->${inner}<!-- /wp:${n} -->`,
        ),
    })).text;
    fc.assert(
      fc.property(text, (source) => {
        expect(normaliseBlocks(source)).toBe(source);
      }),
    );
  });
});

describe('normalising', () => {
  testRows(
    [
      {
        name: 'writes attributes as compact JSON',
        input: '<!-- wp:a { "b" : [ 1, true ] } /-->',
        output: '<!-- wp:a {"b":[1,true]} /-->',
      },
      {
        name: 'drops attributes that are no JSON',
        input: '<!-- wp:a {b:1} -->x<!-- /wp:a -->',
        output: '<!-- wp:a -->x<!-- /wp:a -->',
      },
      { name: 'drops empty attributes', input: '<!-- wp:a {} /-->', output: '<!-- wp:a /-->' },
      {
        name: 'drops attributes nested too deep',
        input: `<!-- wp:a {"b":${'['.repeat(600)}${']'.repeat(600)}} /-->`,
        output: '<!-- wp:a /-->',
      },
      {
        name: 'drops attributes with half a character',
        input: '<!-- wp:a {"b":"\\ud83d"} /-->',
        output: '<!-- wp:a /-->',
      },
      { name: 'closes what is not closed', input: '<!-- wp:a -->x', output: '<!-- wp:a -->x<!-- /wp:a -->' },
      {
        name: 'closes nested blocks from the inside',
        input: '<!-- wp:a -->1<!-- wp:b -->2',
        output: '<!-- wp:a -->1<!-- wp:b -->2<!-- /wp:b --><!-- /wp:a -->',
      },
      {
        name: 'corrects the name of an end',
        input: '<!-- wp:a -->1<!-- /wp:b -->',
        output: '<!-- wp:a -->1<!-- /wp:a -->',
      },
      {
        name: 'shortens the namespace of the core',
        input: '<!-- wp:core/a -->1<!-- /wp:core/a -->',
        output: '<!-- wp:a -->1<!-- /wp:a -->',
      },
      {
        name: 'writes an empty block as one delimiter',
        input: '<!-- wp:a {"b":1} --><!-- /wp:a -->',
        output: '<!-- wp:a {"b":1} /-->',
      },
      {
        name: 'needs single blanks in delimiters only',
        input: '<!--  wp:a   {"b":1}   -->1<!--\n/wp:a\n--><!-- wp:c /-->',
        output: '<!-- wp:a {"b":1} -->1<!-- /wp:a --><!-- wp:c /-->',
      },
      {
        name: 'escapes what could end the comment or be markup',
        input: '<!-- wp:a {"b":"\\u003cb> & \\u002d- \\" \\\\ /"} /-->',
        output: '<!-- wp:a {"b":"\\u003cb\\u003e \\u0026 \\u002d\\u002d \\u0022 \\u005c /"} /-->',
      },
      {
        name: 'escapes pairs of dashes only',
        input: '<!-- wp:a {"b":"x-y \\u002d\\u002d\\u002d"} /-->',
        output: '<!-- wp:a {"b":"x-y \\u002d\\u002d-"} /-->',
      },
      {
        name: 'writes other characters plainly',
        input: '<!-- wp:a {"b":"\\u00e9\\/\\ud83d\\ude00"} /-->',
        output: '<!-- wp:a {"b":"é/😀"} /-->',
      },
      {
        name: 'keeps whole numbers of 64 bits',
        input: '<!-- wp:a {"b":9223372036854775807,"c":-5} /-->',
        output: '<!-- wp:a {"b":9223372036854775807,"c":-5} /-->',
      },
      {
        name: 'shortens numbers',
        input: '<!-- wp:a {"b":1.50,"c":2.0,"d":1e2} /-->',
        output: '<!-- wp:a {"b":1.5,"c":2,"d":100} /-->',
      },
      {
        name: 'writes empty objects as lists',
        input: '<!-- wp:a {"b":{},"c":{"d":{}}} /-->',
        output: '<!-- wp:a {"b":[],"c":{"d":[]}} /-->',
      },
      {
        name: 'keeps the order of members',
        input: '<!-- wp:a {"z":1,"2":2,"1":3} /-->',
        output: '<!-- wp:a {"z":1,"2":2,"1":3} /-->',
      },
      {
        name: 'keeps the last of members of the same name',
        input: '<!-- wp:a {"b":1,"c":2,"b":3} /-->',
        output: '<!-- wp:a {"b":3,"c":2} /-->',
      },
    ],
    normaliseBlocks,
  );
  testRows(
    unchanged({
      'leaves texts without block markup alone': 'a <!-- b --> <!--more--> { "c" : 1 }',
      'leaves an end alone that nothing began': 'a<!-- /wp:b --> <!-- wp:c {"d" : 1} /-->',
      'leaves the text between blocks alone': ' a \n\n<!-- wp:b /-->\n\n "c" & <d> ',
      'leaves nothing alone': '',
    }),
    normaliseBlocks,
  );
});
