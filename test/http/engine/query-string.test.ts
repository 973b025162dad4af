import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/text/query-string.ts';

const plain = (text: string) => JSON.parse(JSON.stringify(parseQuery(text)));

describe('query strings', () => {
  it.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['=1', {}],
    ['a=x+y%20z', { a: 'x y z' }],
    ['a%5B%5D=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[5]=2', { a: ['1', '2'] }],
    ['a[5]=2&a[]=3&a[0]=1', { a: ['2', '3', '1'] }],
    ['a[x]=1', { a: { x: '1' } }],
    ['a[x][]=1&a[x][]=2&a[y]=3', { a: { x: ['1', '2'], y: '3' } }],
    ['a[]=1&a=2', { a: '2' }],
    ['a=1&a[]=2', { a: ['2'] }],
    ['a[x=1', { a_x: '1' }],
    ['a[x]y=1', { a: { x: '1' } }],
    ['a.b=1&c d=2', { a_b: '1', c_d: '2' }],
    ['a=%', { a: '%' }],
    ['a=%zz%41', { a: '%zzA' }],
    ['a=%ff', { a: '\ufffd' }],
    ['a=%00', { a: '\u0000' }],
    ['a[01]=1', { a: { '01': '1' } }],
  ])('%s is parsed', (text, expected) => {
    expect(plain(text)).toEqual(expected);
  });

  it('may contain names with a meaning in JavaScript', () => {
    const params = parseQuery('__proto__=1&a[__proto__]=2&constructor=3');
    expect(Object.keys(params)).toEqual(['__proto__', 'a', 'constructor']);
    expect(Object.keys(params['a'] as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('are limited to a thousand variables and 64 nested brackets', () => {
    const many = Array.from({ length: 1500 }, (_, i) => `v${i}=1`).join('&');
    expect(Object.keys(parseQuery(many))).toHaveLength(1000);
    expect(plain(`a${'[x]'.repeat(65)}=1&b=2`)).toEqual({ b: '2' });
  });

  it('are parsed without errors, whatever they contain', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof parseQuery(text) === 'object'));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'a[]=&%20+.') }),
        (text) => typeof parseQuery(text) === 'object',
      ),
    );
  });
});
