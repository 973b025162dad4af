import fc from 'fast-check';
import { argDescriptor } from '#http/engine/descriptors.ts';
import type { Args } from '#http/engine/types.ts';

/** The part of a parameter’s JSON Schema from which values are made. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly required?: boolean;
}

export interface FittingArg {
  readonly name: string;
  readonly schema: Schema;
}

/** The parameters of an endpoint. */
export function fittingArgs<M>(args: Args<M>): readonly FittingArg[] {
  return Object.entries(args).map(([name, arg]) => ({ name, schema: argDescriptor(arg) as Schema }));
}

const names = [
  ...[
    'archives',
    'avatar',
    'block',
    'breadcrumbs',
    'calendar',
    'categories',
    'columns',
    'comment-content',
    'comment-template',
  ],
  ...[
    'comments',
    'comments-title',
    'cover',
    'embed',
    'file',
    'footnotes',
    'gallery',
    'group',
    'heading',
    'home-link',
    'image',
  ],
  ...[
    'latest-comments',
    'latest-posts',
    'list',
    'loginout',
    'media-text',
    'navigation',
    'navigation-link',
    'page-list',
  ],
  ...[
    'paragraph',
    'post-author',
    'post-comments-form',
    'post-content',
    'post-date',
    'post-excerpt',
    'post-featured-image',
  ],
  ...['post-navigation-link', 'post-template', 'post-terms', 'post-title', 'query', 'query-pagination', 'query-title'],
  ...['query-pagination-numbers', 'read-more', 'rss', 'search', 'shortcode', 'site-logo', 'site-title', 'social-link'],
  ...[
    'social-links',
    'table',
    'tag-cloud',
    'template-part',
    'term-description',
    'terms-query',
    'video',
    'widget-group',
  ],
];
const attribute = fc.constantFrom(
  ...[
    'align',
    'className',
    'style',
    'layout',
    'ref',
    'id',
    'ids',
    'url',
    'level',
    'query',
    'queryId',
    'backgroundColor',
  ],
  ...[
    'displayLayout',
    'taxonomy',
    'term',
    'slug',
    'kind',
    'label',
    'perPage',
    'postsToShow',
    'width',
    'height',
    'metadata',
  ],
  ...['textAlign', 'overlayMenu', 'service', 'format', 'columns', 'userId', 'size', 'fontSize', 'type', 'parentPageID'],
);
const json = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 1, 2, -1, 1e9, true, 'x', '1', 'left', 'post', 'category', 'wide', [], [1], {}),
  },
  fc.constantFrom<unknown>(
    ...[
      { perPage: 2, postType: 'post', inherit: false },
      { inherit: true },
      { type: 'flex' },
      { type: 'grid', columnCount: 3 },
    ],
    ...[{ spacing: { padding: '1px', margin: { top: 'var:preset|spacing|20' } }, color: { text: '#fff' } }],
    ...[{ typography: { fontSize: '2rem', lineHeight: 1 }, border: { radius: { topLeft: '1px' }, width: 0 } }],
  ),
);
const attributes = fc
  .dictionary(attribute, json, { maxKeys: 4 })
  .map((all) => JSON.stringify(all).replaceAll('--', '\\u002d\\u002d'));
const inline = fc.constantFrom(
  ...[
    'Text',
    '<p>x</p>',
    '<strong>b',
    '<a href="/1">l</a>',
    '&amp;&#8217;"quoted" -- dash',
    ':-)',
    '😀',
    '\n\n',
    ' ',
    '$1',
  ],
  ...[
    '[gallery ids="1,2"]',
    '[caption width="9"]<img src="x">c[/caption]',
    '[audio src="x.mp3"]',
    '[embed]http://site.example/1[/embed]',
  ],
  ...[
    'http://site.example/two/',
    '<!--more-->',
    '<!--nextpage-->',
    '<img src="a.jpg" class="align-x size-y-1">',
    '<li>',
    '<table><tr><td>',
  ],
  ...[
    '<script>x</script>',
    '<!-- wp:x',
    '-->',
    '<p',
    '</',
    '&',
    '[',
    ']]',
    '<iframe src="//x">',
    '<style>a{}</style>',
    '\\',
    '%s',
    '\u2028',
  ],
);
/** Contents with blocks in valid or invalid combinations. */
const content: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        { weight: 3, arbitrary: inline },
        {
          weight: 2,
          arbitrary: fc
            .tuple(fc.constantFrom(...names), attributes, tie('text'))
            .map(([name, given, inner]) => `<!-- wp:${name} ${given} -->${inner}<!-- /wp:${name} -->`),
        },
        {
          weight: 2,
          arbitrary: fc
            .tuple(fc.constantFrom(...names), attributes)
            .map(([name, given]) => `<!-- wp:${name} ${given} /-->`),
        },
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).text;

const words = fc.oneof(
  fc.constantFrom(
    'a',
    'Two words',
    'über',
    'x-2',
    'one',
    '1',
    '',
    'post',
    'page',
    'category',
    'publish',
    'http://site.example/one/',
    'a@b.example',
  ),
  content,
);

/** A value that nearly always matches a schema. */
export function fitting({ name, schema }: FittingArg): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 19, arbitrary: madeFor(name, schema) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function madeFor(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (name === 'as_of') return fc.constantFrom('1', '5', '9', '12', '2026-03-01T11:00:00');
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if (schema.oneOf !== undefined && schema.oneOf.length > 0)
    return fc.oneof(...schema.oneOf.map((one) => madeFor(name, one)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.oneof(words, fc.jsonValue({ maxDepth: 2 }));
  return fc.oneof(...types.map((type) => ofType(type, name, schema)));
}

function ofType(type: string, name: string, schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, items = { type: ['integer', 'string'] }, minimum = 0 } = schema;
  switch (type) {
    case 'integer':
      return fc.oneof({ weight: 5, arbitrary: fc.integer({ min: minimum, max: minimum + 12 }) }, fc.maxSafeInteger());
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 9 }), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(madeFor(name, items), { maxLength: 3 });
    case 'object': {
      const members = Object.entries(properties).map(([key, one]) => [key, madeFor(key, one)] as const);
      const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
      const more = fc.dictionary(fc.constantFrom('a', 'x-y', 'raw', '__proto__'), fc.jsonValue({ maxDepth: 1 }), {
        maxKeys: 2,
      });
      return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: more });
    }
    default:
      return stringOf(name, schema);
  }
}

function stringOf(name: string, { format }: Schema): fc.Arbitrary<unknown> {
  if (format === 'date-time') {
    const parts = [
      '2026-03-01T11:00:00',
      '2019-02-30T00:00:00',
      '2030-01-01T00:00:00Z',
      '2026-06-01',
      '2026-03-29T02:30:00',
      '9999-12-31T23:59:59',
    ];
    return fc.constantFrom(...parts, '', null);
  }
  if (format === 'email') return fc.constantFrom('a@b.example', 'c@d.example', 'x', '');
  if (format === 'uri')
    return fc.constantFrom('http://site.example/two/', 'https://x.example/', 'javascript:x', 'x', '');
  if (format === 'ip') return fc.constantFrom('127.0.0.1', '::1', 'x');
  return ['content', 'title', 'excerpt', 'description', 'raw', 'caption'].includes(name) ? content : words;
}
