import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Descriptor, descriptorOf } from '../../../src/http/engine/descriptors.ts';
import { coerce, validate } from '../../../src/http/engine/validate.ts';

const integer: Descriptor = { type: 'integer' };
const bounded: Descriptor = { type: 'integer', minimum: 1, maximum: 100 };
const ids: Descriptor = { type: 'array', items: integer };
const moment: Descriptor = { type: ['string', 'null'], format: 'date-time' };
const word: Descriptor = { type: 'string', enum: ['asc', 'desc'] };
const flag: Descriptor = { type: 'boolean' };
const formats: Descriptor = { type: 'array', uniqueItems: true, items: { type: 'string', enum: ['aside', 'quote'] } };
const terms: Descriptor = {
  type: ['object', 'array'],
  oneOf: [
    { title: 'Term ID List', type: 'array', items: integer },
    {
      title: 'Term ID Taxonomy Query',
      type: 'object',
      properties: { terms: ids, include_children: flag, operator: { type: 'string', enum: ['AND', 'OR'] } },
      additionalProperties: false,
    },
  ],
};
const requests: Descriptor = {
  type: 'array',
  maxItems: 2,
  items: {
    type: 'object',
    properties: {
      method: { type: 'string', enum: ['POST', 'PUT'] },
      path: { type: 'string', required: true },
      body: { type: 'object', properties: {}, additionalProperties: true },
      headers: {
        type: 'object',
        properties: {},
        additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
      },
    },
  },
};

const accepted: readonly [string, unknown, Descriptor, unknown][] = [
  ['a decimal text is an integer', '12', integer, 12],
  ['blanks around an integer do not count', ' 12\n', integer, 12],
  ['leading zeros do not count', '0123', integer, 123],
  ['a whole number may be written with a fraction or an exponent', '1.0', integer, 1],
  ['a whole number may be written with an exponent', '1e3', integer, 1000],
  ['an integer beyond the range is cut', '99999999999999999999', integer, Number.MAX_SAFE_INTEGER],
  ['the bounds themselves are allowed', '100', bounded, 100],
  ['a list may be separated by commas', '1,2', ids, [1, 2]],
  ['a list may be separated by blanks', '1 2', ids, [1, 2]],
  ['separators may be mixed and doubled', ' 1, ,2\t3', ids, [1, 2, 3]],
  ['one number is a list', 7, ids, [7]],
  ['an empty text is an empty list', '', ids, []],
  ['a map of whole-number keys is a list', { 0: '1', 5: '2' }, ids, [1, 2]],
  ['an empty map is a list', {}, ids, []],
  ['true', true, flag, true],
  ['"TRUE"', 'TRUE', flag, true],
  ['"0"', '0', flag, false],
  ['1 is true', 1, flag, true],
  ['a date with an offset', '2018-03-03T10:59:59+01:00', moment, '2018-03-03T10:59:59+01:00'],
  ['a date with a blank and a fraction', '2018-03-03 10:59:59.123Z', moment, '2018-03-03 10:59:59.123Z'],
  ['a date that rolls over', '2018-02-30T24:00:60', moment, '2018-02-30T24:00:60'],
  ['null where null is a type', null, moment, null],
  ['several different items', 'aside,quote', formats, ['aside', 'quote']],
  ['a list for either list or object', '1,2', terms, [1, 2]],
  ['an object for either list or object', { terms: '1,2', operator: 'AND' }, terms, { terms: [1, 2], operator: 'AND' }],
  ['an empty text is an empty object', [{ path: 'p', body: '' }], requests, [{ path: 'p', body: {} }]],
  [
    'free members stay as they are',
    [{ path: 'p', body: { a: [1] }, headers: { x: 'a', y: ['b'] } }],
    requests,
    [{ path: 'p', body: { a: [1] }, headers: { x: 'a', y: ['b'] } }],
  ],
];

const refused: readonly [string, unknown, Descriptor, string, unknown][] = [
  ['a fraction is no integer', '1.5', integer, 'rest_invalid_type', { param: 'p' }],
  ['letters after digits are no integer', '2abc', integer, 'rest_invalid_type', { param: 'p' }],
  ['an empty text is no integer', '', integer, 'rest_invalid_type', { param: 'p' }],
  ['a list is no integer', ['2'], integer, 'rest_invalid_type', { param: 'p' }],
  ['true is no integer', true, integer, 'rest_invalid_type', { param: 'p' }],
  ['null is no integer', null, integer, 'rest_invalid_type', { param: 'p' }],
  ['below the minimum', '0', bounded, 'rest_out_of_bounds', null],
  ['above the maximum', 101, bounded, 'rest_out_of_bounds', null],
  ['out of bounds comes before not whole', '100.5', bounded, 'rest_out_of_bounds', null],
  ['the place in a list is named', '1,abc', ids, 'rest_invalid_type', { param: 'p[1]' }],
  ['a map is no list', { x: 1 }, ids, 'rest_invalid_type', { param: 'p' }],
  ['null is no list', null, ids, 'rest_invalid_type', { param: 'p' }],
  ['yes is no boolean', 'yes', flag, 'rest_invalid_type', { param: 'p' }],
  ['an empty text is no boolean', '', flag, 'rest_invalid_type', { param: 'p' }],
  ['2 is no boolean', 2, flag, 'rest_invalid_type', { param: 'p' }],
  ['capitals are not in the enum', 'ASC', word, 'rest_not_in_enum', null],
  ['an empty text is not in the enum', '', word, 'rest_not_in_enum', null],
  ['a number is no text', 5, word, 'rest_invalid_type', { param: 'p' }],
  ['a word is no date', 'tomorrow', moment, 'rest_invalid_date', null],
  ['a day is no date-time', '2015-07-02', moment, 'rest_invalid_date', null],
  ['an empty text is no date', '', moment, 'rest_invalid_date', null],
  ['a short offset is no date', '2015-07-02T00:00:00+2:00', moment, 'rest_invalid_date', null],
  ['month 13 is no date', '2015-13-02T00:00:00', moment, 'rest_invalid_date', null],
  ['a small z is no offset', '2015-07-02T00:00:00z', moment, 'rest_invalid_date', null],
  ['a number is no date', 5, moment, 'rest_invalid_type', { param: 'p' }],
  ['a list is no date', ['x'], moment, 'rest_invalid_type', { param: 'p' }],
  ['repeated items', ['aside', 'aside'], formats, 'rest_duplicate_items', null],
  ['an item outside the enum', 'aside,video', formats, 'rest_not_in_enum', null],
  ['too many items', [{ path: 'a' }, { path: 'b' }, { path: 'c' }], requests, 'rest_too_many_items', null],
  ['a missing property', [{ body: {} }], requests, 'rest_property_required', null],
  [
    'the place in an object is named',
    [{ path: 'a', body: 'text' }],
    requests,
    'rest_invalid_type',
    { param: 'p[0][body]' },
  ],
  ['a number is no path', [{ path: 5 }], requests, 'rest_invalid_type', { param: 'p[0][path]' }],
  ['a word is a list of one thing that is no object', 'none', requests, 'rest_invalid_type', { param: 'p[0]' }],
  [
    'other members are checked, too',
    [{ path: 'a', headers: { x: null } }],
    requests,
    'rest_invalid_type',
    { param: 'p[0][headers][x]' },
  ],
  ['neither list nor object: the list was meant', 'red', terms, 'rest_no_matching_schema', { position: 0 }],
  ['a list with a bad item', ['1', 'x'], terms, 'rest_no_matching_schema', null],
  ['an object with a bad member', { terms: ['x'] }, terms, 'rest_no_matching_schema', { position: 1 }],
  ['an object with an unknown member', { terms: [1], unknown: 1 }, terms, 'rest_no_matching_schema', { position: 1 }],
  ['an empty text fits list and object', '', terms, 'rest_one_of_multiple_matches', { positions: [0, 1] }],
  ['an empty list fits list and object', [], terms, 'rest_one_of_multiple_matches', { positions: [0, 1] }],
  ['too short', 'a', { type: 'string', minLength: 2 }, 'rest_too_short', null],
  ['too long, counted in characters', '👋👋👋', { type: 'string', maxLength: 2 }, 'rest_too_long', null],
  ['not of the pattern', 'a1', { type: 'string', pattern: '^[a-z]+$' }, 'rest_invalid_pattern', null],
  ['too few items', '1', { type: 'array', items: integer, minItems: 2 }, 'rest_too_few_items', null],
];

describe('values that are accepted', () => {
  it.each(accepted)('%s', (_, value, descriptor, expected) => {
    expect(validate(value, descriptor, 'p')).toBeNull();
    expect(coerce(value, descriptor)).toEqual(expected);
  });
});

describe('values that are refused', () => {
  it.each(refused)('%s', (_, value, descriptor, code, data) => {
    expect(validate(value, descriptor, 'p')).toMatchObject({ code, data });
  });
});

describe('the empty value of a type', () => {
  it.each([
    ['string', ''],
    ['integer', 0],
    ['number', 0],
    ['boolean', false],
    ['array', []],
    ['object', {}],
  ] as const)('null as %s is %j', (type, expected) => {
    expect(coerce(null, { type })).toEqual(expected);
  });
});

describe('descriptors', () => {
  const cases: readonly [string, z.ZodType, unknown][] = [
    ['bounds of the machine are not shown', z.int(), { type: 'integer' }],
    [
      'own bounds and defaults are',
      z.int().min(1).max(100).default(10).describe('d'),
      { type: 'integer', minimum: 1, maximum: 100, default: 10, description: 'd' },
    ],
    ['a value without a type has none', z.unknown().default('view'), { default: 'view' }],
    [
      'null is one more type',
      z.string().nullable().meta({ format: 'date-time' }),
      { type: ['string', 'null'], format: 'date-time' },
    ],
    ['a format needs no pattern', z.iso.datetime().nullable(), { type: ['string', 'null'], format: 'date-time' }],
    ['an address', z.url(), { type: 'string', format: 'uri' }],
    ['one allowed word is an enum', z.literal('exact'), { type: 'string', enum: ['exact'] }],
    [
      'members carry what they are annotated with',
      z.object({
        raw: z
          .string()
          .optional()
          .meta({ context: ['edit'], readonly: true }),
      }),
      { type: 'object', properties: { raw: { type: 'string', context: ['edit'], readonly: true } } },
    ],
    [
      'required is said at the member',
      z.object({ path: z.string(), method: z.enum(['PUT']).default('PUT') }),
      {
        type: 'object',
        properties: {
          path: { type: 'string', required: true },
          method: { type: 'string', enum: ['PUT'], default: 'PUT' },
        },
      },
    ],
    ['any members', z.looseObject({}), { type: 'object', properties: {}, additionalProperties: true }],
    [
      'members of one kind',
      z.object({}).catchall(z.union([z.string(), z.array(z.string())])),
      {
        type: 'object',
        properties: {},
        additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
      },
    ],
    [
      'no other members',
      z.strictObject({ terms: z.array(z.int()).default([]) }),
      {
        type: 'object',
        properties: { terms: { type: 'array', items: { type: 'integer' }, default: [] } },
        additionalProperties: false,
      },
    ],
    [
      'titled alternatives',
      z
        .union([z.array(z.int()).meta({ title: 'A' }), z.strictObject({}).meta({ title: 'B' })])
        .meta({ type: ['object', 'array'] }),
      {
        type: ['object', 'array'],
        oneOf: [
          { title: 'A', type: 'array', items: { type: 'integer' } },
          { title: 'B', type: 'object', properties: {}, additionalProperties: false },
        ],
      },
    ],
    [
      'a default outside of the type',
      z.array(z.string()).meta({ default: 'publish', uniqueItems: true }),
      { type: 'array', items: { type: 'string' }, default: 'publish', uniqueItems: true },
    ],
  ];
  it.each(cases)('%s', (_, schema, expected) => {
    expect(descriptorOf(schema)).toEqual(expected);
  });
});
