import { describe, expect, it } from 'vitest';
import { refuse } from '#domain/kernel/refusal.ts';
import { compileTable } from '../../../src/http/engine/table.ts';
import type { Method, Route } from '../../../src/http/engine/types.ts';

const route = (pattern: string, ...methods: Method[]): Route<null, null> => ({
  namespace: 'n/v1',
  pattern,
  endpoints: [{ methods, args: {}, permission: () => null, query: () => ({ body: { kind: 'json', value: null } }) }],
});

const table = compileTable([
  route('/', 'GET'),
  route('/n/v1', 'GET'),
  route('/n/v1/posts', 'GET', 'POST'),
  route('/n/v1/posts/(?P<id>[\\d]+)', 'GET', 'PUT'),
  route('/n/v1/posts/(?P<parent>[\\d]+)/revisions/(?P<id>\\d+)', 'GET'),
  route('/n/v1/fields/(?P<key>[\\S]+)/(?P<post>[\\d]+)/(?P<source>[\\S]+)', 'GET'),
  route('/n/v1/library(?:/(?P<reset>reset))?', 'GET'),
  route('/n/v1/design/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)', 'GET'),
  route('/n/v1/twice', 'GET'),
  route('/n/v1/tw[a-z]+', 'GET', 'DELETE'),
]);

const found = (method: string, path: string) => {
  const hit = table.find(method, path, null);
  return hit === null ? null : [hit.route.route.pattern, { ...hit.path }];
};

describe('finding a route', () => {
  it.each([
    ['GET', '/', '/', {}],
    ['GET', '/n/v1/', '/n/v1', {}],
    ['GET', '/n/v1/posts', '/n/v1/posts', {}],
    ['HEAD', '/n/v1/posts', '/n/v1/posts', {}],
    ['GET', '/N/V1/Posts/', '/n/v1/posts', {}],
    ['PUT', '/n/v1/posts/0123', '/n/v1/posts/(?P<id>[\\d]+)', { id: '0123' }],
    [
      'GET',
      '/n/v1/posts/7/revisions/9',
      '/n/v1/posts/(?P<parent>[\\d]+)/revisions/(?P<id>\\d+)',
      { parent: '7', id: '9' },
    ],
    [
      'GET',
      '/n/v1/fields/A/b/5/C',
      '/n/v1/fields/(?P<key>[\\S]+)/(?P<post>[\\d]+)/(?P<source>[\\S]+)',
      { key: 'A/b', post: '5', source: 'C' },
    ],
    ['GET', '/n/v1/library', '/n/v1/library(?:/(?P<reset>reset))?', { reset: undefined }],
    ['GET', '/n/v1/library/reset', '/n/v1/library(?:/(?P<reset>reset))?', { reset: 'reset' }],
    [
      'GET',
      '/n/v1/design//hero-1',
      '/n/v1/design/(?P<version>[\\w\\d-]*)/(?P<design>[\\w\\d-]+)',
      { version: '', design: 'hero-1' },
    ],
    ['GET', '/n/v1/twice', '/n/v1/twice', {}],
    ['DELETE', '/n/v1/twice', '/n/v1/tw[a-z]+', {}],
  ])('%s %s matches %s', (method, path, pattern, params) => {
    expect(found(method, path)).toEqual([pattern, params]);
  });

  it.each([
    ['GET', '//'],
    ['GET', ''],
    ['GET', 'n/v1/posts'],
    ['GET', '//n/v1/posts'],
    ['GET', '/n/v1/posts//'],
    ['GET', '/n/v1/posts//7'],
    ['GET', '/n//v1/posts'],
    ['GET', '/n/v1/posts/7x'],
    ['GET', '/n/v1/posts/-7'],
    ['GET', '/n/v1/posts/٣'],
    ['GET', '/n/v1/posts/7/'.repeat(2)],
    ['GET', '/n/v2'],
    ['GET', '/n'],
    ['DELETE', '/n/v1/posts'],
    ['BREW', '/n/v1/posts'],
    ['OPTIONS', '/n/v1/posts'],
    ['GET', '/__proto__'],
  ])('%s %s matches nothing', (method, path) => {
    expect(found(method, path)).toBeNull();
  });

  it('is fast for a long path that contains a blank', () => {
    // With backtracking this would take minutes.
    expect(found('GET', `/n/v1/fields/a${'/1'.repeat(100_000)} `)).toBeNull();
    expect(found('GET', `/n/v1/fields/a${'/1'.repeat(100_000)}/b`)).not.toBeNull();
  });

  it('skips routes that are switched off', () => {
    const there = (pattern: string, present: (on: boolean) => boolean): Route<boolean, boolean> => ({
      ...{ namespace: 'n/v1', pattern, present },
      endpoints: [{ methods: ['GET'], args: {}, permission: () => null, query: () => refuse('none', 'None.') }],
    });
    const switched = compileTable([there('/n/v1/shop', (on) => on), there('/n/v1/sh[op]+', (on) => !on)]);
    const pattern = (on: boolean) => switched.find('GET', '/n/v1/shop', on)?.route.route.pattern;
    expect([pattern(true), pattern(false)]).toEqual(['/n/v1/shop', '/n/v1/sh[op]+']);
    expect(switched.at('/n/v1/shp', true)).toBeNull();
  });
});
