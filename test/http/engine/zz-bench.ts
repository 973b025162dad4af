import { fastify } from 'fastify';
import { pino } from 'pino';
import { z } from 'zod';
import { buildApp } from '../../../src/http/app.ts';
import { toAsciiJson } from '../../../src/http/engine/present.ts';
import type { Host, Rec, Route } from '../../../src/http/engine/types.ts';

const mode = process.argv[2];
const names = [
  'id',
  'date',
  'date_gmt',
  'guid',
  'modified',
  'modified_gmt',
  'slug',
  'status',
  'type',
  'link',
  'title',
  'content',
  'excerpt',
  'author',
  'featured_media',
  'comment_status',
  'ping_status',
  'sticky',
  'template',
  'format',
  'meta',
  'categories',
  'tags',
  'class_list',
  '_links',
];
const texts = new Map(
  names.map((n) => [
    n,
    n === 'content'
      ? JSON.stringify({ rendered: 'x'.repeat(1200), protected: false })
      : n === '_links'
        ? JSON.stringify({ self: [{ href: 'y'.repeat(700) }] })
        : JSON.stringify('value of ' + n),
  ]),
);
const rec: Rec = { names, json: (n) => texts.get(n)! };
const host: Host<any, any> = {
  model: () => ({}),
  modelAt: () => ({}),
  submit: async () => {
    throw new Error('x');
  },
  stamp: () => 1,
  authenticate: () => null,
  usersKey: 'u',
  siteUrl: () => 'http://127.0.0.1:9999',
};
const ctx = { schema: z.enum(['view', 'embed', 'edit']).default('view') };
const routes: Route<any, any>[] = [];
for (let i = 0; i < 60; i++) routes.push({ namespace: 'p/v1', pattern: `/p/v1/r${i}`, endpoints: [] });
routes.push({
  namespace: 'cms/v2',
  pattern: '/cms/v2/posts/(?P<id>[\\d]+)',
  endpoints: [
    {
      methods: ['GET'],
      args: {
        id: { schema: z.int(), pass: 2 },
        context: ctx,
        excerpt_length: { schema: z.int() },
        password: { schema: z.string() },
      },
      permission: () => null,
      query: () => ({
        body: { kind: 'record', record: rec },
        version: '12',
        headers: { Link: '<http://x/>; rel="alternate"; type=text/html' },
      }),
      depends: ({ params }) => [`entry-${params['id']}`],
    },
    {
      methods: ['POST', 'PUT', 'PATCH'],
      args: {},
      permission: () => ({ refused: true, code: 'rest_cannot_edit', message: '' }),
      command: () => {
        throw new Error('');
      },
    },
    {
      methods: ['DELETE'],
      args: {},
      permission: () => ({ refused: true, code: 'rest_cannot_delete', message: '' }),
      command: () => {
        throw new Error('');
      },
    },
  ],
});
const bodyText = '{' + names.map((n) => `"${n}":${texts.get(n)}`).join(',') + '}';
if (mode === 'bare') {
  const app = fastify();
  const buf = Buffer.from(bodyText, 'latin1');
  app.get('/cms-json/cms/v2/posts/:id', (_q, reply) => {
    reply.header('content-type', 'application/json; charset=UTF-8');
    reply.send(buf);
  });
  await app.listen({ port: 9999 });
} else if (mode === 'barestr') {
  const app = fastify();
  app.get('/cms-json/cms/v2/posts/:id', (_q, reply) => {
    reply.header('content-type', 'application/json; charset=UTF-8');
    reply.send(Buffer.from('{' + names.map((n) => `"${n}":${texts.get(n)}`).join(',') + '}', 'latin1'));
  });
  await app.listen({ port: 9999 });
} else {
  const logger = mode.includes('log')
    ? pino({}, pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }))
    : undefined;
  const app = buildApp({ host, routes, cacheBytes: mode.includes('hit') ? 1e8 : 0, ...(logger ? { logger } : {}) });
  await app.listen({ port: 9999 });
  if (mode.includes('cpu')) {
    // in-process cost
  }
}
console.log('ready', bodyText.length);
