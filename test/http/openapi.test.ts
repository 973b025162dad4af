import { createHash } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceOf } from '#http/feed/source.ts';
import { routeTemplate, templateOf } from '#http/openapi/place.ts';
import type { Document, Parameter, Schema } from '#http/openapi/types.ts';
import { allRoutes } from '#http/tables/all.ts';
import { openShop } from '../support/shop.ts';
import { type Site, startSite } from '../support/site.ts';

type Listed = { endpoints: { methods: string[]; args: Record<string, Schema> | [] }[] };

let site: Site;
let document: Document;
beforeAll(async () => {
  site = await startSite();
  await openShop(site);
  document = (await site.call('anonymous', 'GET /cms-json/openapi.json')).body;
});
afterAll(() => site.close());

function routesOf({ node: { store } }: Site) {
  return allRoutes({ clock: () => 0, source: sourceOf(store), uploads: store.uploads });
}

/** Converts a schema to the form of the index, which marks required properties individually. */
function asListed(schema: Schema): Schema {
  const { required = [], 'x-context': _, readOnly: __, ...rest } = schema as { required?: string[] } & Schema;
  const properties = Object.entries((rest['properties'] ?? {}) as Record<string, Schema>).map(([name, property]) => {
    const { context: ___, ...listed } = asListed(property);
    return [name, required.includes(name) ? { ...listed, required: true } : listed];
  });
  return {
    ...withBounds(rest),
    ...('properties' in rest ? { properties: Object.fromEntries(properties) } : {}),
    ...('items' in rest ? { items: asListed(rest['items'] as Schema) } : {}),
    ...('oneOf' in rest ? { oneOf: (rest['oneOf'] as Schema[]).map((one) => asListed(without(one, required))) } : {}),
  };
}

/** Removes from an alternative what is required of all alternatives. */
function without(schema: Schema, required: readonly string[]): Schema {
  const { required: own = [], ...rest } = schema as { required?: string[] } & Schema;
  return { ...rest, required: own.filter((name) => !required.includes(name)) };
}

/** Converts exclusive bounds to the form of the index. */
function withBounds({ exclusiveMinimum: low, exclusiveMaximum: high, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(low === undefined ? {} : { minimum: low, exclusiveMinimum: true }),
    ...(high === undefined ? {} : { maximum: high, exclusiveMaximum: true }),
  };
}

/** Removes contexts and read-only parts, which only the index lists. */
function withoutContexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutContexts);
  if (typeof value !== 'object' || value === null) return value;
  const rest = Object.entries(value).filter(
    ([key, member]) => key !== 'context' && key !== 'readonly' && !('raw' in value && member.readonly === true),
  );
  return Object.fromEntries(rest.map(([key, member]) => [key, withoutContexts(member)]));
}

/** Returns the description of a parameter in the document, in the form of the index. */
function withoutDefaults(schema: unknown): Record<string, unknown> {
  const without = (_: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value) || !('default' in value)) return value;
    const { default: __, ...rest } = value;
    return rest;
  };
  return JSON.parse(JSON.stringify(schema ?? {}, without));
}

function described(path: string, method: string, name: string): unknown {
  const operation = document.paths[path]?.[method];
  const given = operation?.parameters.find((one): one is Parameter => 'name' in one && one.name === name);
  if (given !== undefined) {
    const { description, required = false, schema, in: where } = given;
    const said = { ...asListed(schema), ...(description === undefined ? {} : { description }) };
    // OpenAPI requires path parameters to be required.
    return { ...said, required: where === 'path' ? false : required };
  }
  const { content } = operation?.requestBody ?? { content: {} };
  const [fields] = (content['multipart/form-data']?.schema['allOf'] as Schema[] | undefined) ?? [];
  const ref = String((content['application/json']?.schema ?? fields)?.['$ref']);
  const body = document.components.schemas[ref.replace('#/components/schemas/', '')];
  const sent = (body?.['properties'] as Record<string, Schema> | undefined)?.[name];
  // A text may also be sent as a plain string.
  const [, parts] = (sent?.['anyOf'] as Schema[] | undefined) ?? [];
  const { anyOf: _, ...said } = sent ?? {};
  const property = sent && asListed({ ...parts, ...said });
  return property === undefined
    ? undefined
    : { ...property, required: ((body?.['required'] as string[]) ?? []).includes(name) };
}

describe('openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document) as never)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('passes a linter without findings', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const said = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`);
    // For the types of clients, which look up the attributes of a block by its name.
    expect(said).toEqual(['no-unused-components #/components/schemas/block-attributes']);
  });

  it('accepts texts as string or object, and prefers forms for files', () => {
    const body = document.components.schemas['cms-v2-posts.body'] as { properties: Record<string, Schema> };
    expect(body.properties['title']).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'object' }] });
    expect(Object.keys(document.paths['/cms/v2/media']?.['post']?.requestBody?.content ?? {})[0]).toBe(
      'multipart/form-data',
    );
    expect(document.paths['/cms/v2/posts/{id}']?.['delete']?.requestBody).toBeDefined();
    expect(document.paths['/cms/v2/posts']?.['head']?.responses['200']).not.toHaveProperty('content');
  });

  it('states which operations accept tokens', () => {
    const takes = (path: string, method: string) =>
      JSON.stringify(document.paths[path]?.[method]?.security ?? document.security).includes('token');
    expect(['get', 'post'].map((method) => takes('/cms/v2/posts', method))).toEqual([true, true]);
    expect([takes('/cms/v2/posts/{id}', 'delete'), takes('/cms/v2/media', 'post')]).toEqual([false, false]);
    expect([takes('/cms/v2/media', 'get'), takes('/cms/v2/settings', 'get')]).toEqual([true, false]);
  });

  it('has no dangling references', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    const missing = refs.filter(
      (path) => path.split('/').reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], document) === undefined,
    );
    expect([...new Set(missing)]).toEqual([]);
    expect(refs.length).toBeGreaterThan(50);
  });

  it('contains every method of every route', () => {
    const all = routesOf(site).flatMap((route) =>
      route.endpoints.flatMap(({ methods }) =>
        methods.map((method) => [routeTemplate(route).path, method.toLowerCase()]),
      ),
    );
    const missing = all.filter(([path = '', method = '']) => document.paths[path]?.[method] === undefined);
    expect(missing).toEqual([]);
  });

  it('describes every parameter like the index', async () => {
    const { body } = await site.call('anonymous', 'GET /cms-json/');
    let compared = 0;
    const written = new Map(routesOf(site).map((route) => [route.pattern, route]));
    for (const [pattern, { endpoints }] of Object.entries<Listed>(body.routes)) {
      for (const { methods, args } of endpoints) {
        for (const [name, listed] of Object.entries(args)) {
          // Some args of the index state only whether they are required; their type is in the description alone.
          if (Object.keys(listed as object).join() === 'required') continue;
          const { path, names } = routeTemplate(written.get(pattern) ?? { pattern });
          // A parameter with a single value is part of the path.
          if (written.get(pattern)?.only?.[name] !== undefined) continue;
          // The type of a path parameter follows from the path if the index omits it.
          const expected = {
            ...(names.includes(name) ? { type: 'integer' } : {}),
            ...(withoutContexts(listed) as object),
          };
          // Defaults that are no values of their schema, and what the index does not describe, are in a test of their own.
          const said = withoutDefaults(expected);
          const shown = withoutDefaults(described(path, (methods[0] ?? '').toLowerCase(), name));
          if (!('description' in said)) delete shown['description'];
          expect([pattern, name, shown]).toEqual([pattern, name, said]);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('uses the right schema for lists, items and creations', () => {
    const { paths } = document;
    const post = { $ref: '#/components/schemas/post' };
    const shown = (path: string, method: string, status = '200') => {
      const response = paths[path]?.[method]?.responses[status];
      return response !== undefined && 'content' in response ? response.content?.['application/json']?.schema : null;
    };
    expect(shown('/cms/v2/posts', 'get')).toEqual({ type: 'array', items: post });
    expect(shown('/cms/v2/posts/{id}', 'get')).toEqual(post);
    expect(shown('/cms/v2/posts', 'post', '201')).toEqual(post);
    expect(shown('/cms/v2/posts/{id}', 'patch')).toEqual(post);
    expect(shown('/cms/v2/users/me', 'get')).toEqual({ $ref: '#/components/schemas/user' });
  });

  it('lists the headers of responses', () => {
    const headers = (path: string, method: string, status: string) => {
      const response = document.paths[path]?.[method]?.responses[status];
      return response !== undefined && 'headers' in response ? Object.keys(response.headers ?? {}) : [];
    };
    expect(headers('/cms/v2/posts', 'get', '200')).toEqual([
      'Link',
      'Allow',
      'X-CMS-Truncated',
      'X-CMS-Ignored',
      'ETag',
      'X-CMS-Age',
      'X-CMS-Total',
      'X-CMS-TotalPages',
    ]);
    expect(headers('/cms/v2/posts', 'post', '201')).toEqual([
      'Link',
      'Allow',
      'X-CMS-Truncated',
      'X-CMS-Ignored',
      'X-CMS-Position',
      'Location',
    ]);
  });

  it('describes records as objects, and no other members beside named ones of another type: generators of types lose both', () => {
    const { schemas } = document.components;
    expect(schemas['post']).toMatchObject({ type: 'object' });
    const schemasIn = (value: unknown): Schema[] =>
      typeof value === 'object' && value !== null
        ? [value as Schema, ...Object.values(value).flatMap((member) => schemasIn(member))]
        : [];
    const contradictory = schemasIn(document).filter(
      ({ properties, additionalProperties: others }) =>
        typeof others === 'object' && Object.keys(others ?? {}).length > 0 && Object.keys(properties ?? {}).length > 0,
    );
    expect(contradictory).toEqual([]);
  });

  it('has unique operation ids', () => {
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('contains the current address of the site, and answers 304 to a matching tag', async () => {
    const first = await site.call('anonymous', 'GET /cms-json/openapi.json');
    expect(first.body.servers).toEqual([{ url: 'http://site.example/cms-json' }]);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await site.call('anonymous', 'GET /cms-json/openapi.json', undefined, { headers })).status).toBe(304);
  });

  it('is not listed in the index', async () => {
    const { body } = await site.call('anonymous', 'GET /cms-json/');
    expect(Object.keys(body.routes)).not.toContain('/openapi.json');
    expect(Object.keys(body.routes)).not.toContain('/docs');
  });
});

describe('the documentation page', () => {
  let page: Response;
  let text: string;
  beforeAll(async () => {
    page = await fetch(`http://127.0.0.1:${site.port}/cms-json/docs/`);
    text = await page.text();
  });

  it('is HTML, with and without a trailing slash', async () => {
    expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect((await fetch(`http://127.0.0.1:${site.port}/cms-json/docs`)).status).toBe(200);
  });

  it('is compressed for the first client already, to at most 150 kB', () => {
    expect(page.headers.get('content-encoding')).toMatch(/^(?:br|zstd|gzip)$/);
    expect(Number(page.headers.get('content-length'))).toBeLessThanOrEqual(150_000);
    expect(text.length).toBeGreaterThan(150_000);
  });

  it('contains every path and every record', () => {
    const names = [...Object.keys(document.paths), 'attachment', 'category', 'changes', 'page', 'post', 'tag', 'user'];
    expect(names.filter((name) => !text.includes(`${name}</code></h3>`))).toEqual([]);
  });

  it('runs only its own script, and fetches nothing', () => {
    expect(text).not.toMatch(/<script .|<link|<img|<iframe|@import|url\(|\son\w+=/i);
    expect(text.match(/<script/g)).toHaveLength(1);
    const digest = (pattern: RegExp) =>
      createHash('sha256')
        .update(pattern.exec(text)?.[1] ?? '')
        .digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(
      `default-src 'none'; style-src 'sha256-${digest(/<style>([^<]*)<\/style>/)}'; ` +
        `script-src 'sha256-${digest(/<script>(.*?)<\/script>/s)}'; connect-src 'self';`,
    );
  });

  it('begins with login, general rules and errors', () => {
    const headings = [...text.matchAll(/<h2 id="[^"]+">([^<]+)</g)].map(([, heading]) => heading);
    expect(headings.slice(0, 4)).toEqual(['Log in', 'Everywhere', 'Errors', 'cms/v2']);
  });

  it('lists error codes by status', () => {
    const [row = ''] = /<th scope="row">412<.*?<\/tr>/s.exec(text) ?? [];
    expect(row).toContain('<code>rest_precondition_failed</code>');
  });

  it('shows example records with values', () => {
    const [, example = ''] = /data-get="\/cms\/v2\/posts\/\{id\}">.*?<code>(\{.*?)<\/code>/s.exec(text) ?? [];
    expect(JSON.parse(example.replaceAll('&quot;', '"'))).toEqual({
      id: 12,
      slug: 'first-words',
      status: 'publish',
      link: 'https://www.example.com/first-words/',
      date: '2026-03-01T12:00:00',
    });
  });

  it('shows requests that are answered as shown', async () => {
    const shown = [...text.matchAll(/<details data-get="([^"{]+)">.*?<pre[^>]*><code>(.*?)<\/code><\/pre>\n(.*?)\n/gs)];
    const lists = shown.filter(
      ([, path]) => path?.startsWith('/cms/v2/') && !['/cms/v2/changes', '/cms/v2/stylesheet'].includes(path),
    );
    expect(lists.length).toBeGreaterThan(15);
    const refused: unknown[] = [];
    for (const [, path, request = ''] of lists) {
      const [, address = ''] = /&#039;http:\/\/site\.example(.*?)&#039;/.exec(request) ?? [];
      const { status, body } = await site.call('administrator', `GET ${address.replaceAll('&amp;', '&')}`);
      const example =
        /<pre[^>]*><code>([[{].*?)<\/code>/s.exec(text.slice(text.indexOf(`data-get="${path}"`)))?.[1] ?? '[]';
      const [one] = [JSON.parse(example.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))].flat();
      const [answered] = [body].flat();
      const strange = Object.keys(answered ?? {}).filter((name) => !(name in one) && name !== '_links');
      if (status !== 200 || (address.includes('_fields') && strange.length > 0))
        refused.push([address, status, strange]);
    }
    expect(refused).toEqual([]);
  });

  it('has a valid structure of headings, landmarks and table headers', () => {
    expect(text).toContain('<html lang="en">');
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<main /g)).toHaveLength(1);
    expect(text.match(/<table>/g)?.length).toBe(text.match(/<thead>/g)?.length);
    expect(text).not.toContain('<th>');
    const [open, closed] = [
      text.match(/<(details|section|table|tr)\b/g),
      text.match(/<\/(details|section|table|tr)>/g),
    ];
    expect(open?.length).toBe(closed?.length);
  });
});

describe('the OpenAPI path of a route', () => {
  it.each([
    ['/cms/v2/posts/(?P<id>[\\d]+)', '/cms/v2/posts/{id}'],
    ['/a/(?P<id>([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/)]+)?)[\\/\\w%-]+)/b', '/a/{id}/b'],
    ['/a/(?P<one>[)(]+)/(?P<two>\\(x\\))', '/a/{one}/{two}'],
    ['/shelf(?:/(?P<reset>reset))?', '/shelf/{reset}'],
    ['/', '/'],
  ])('of %s is %s', (pattern, path) => {
    expect(templateOf(pattern).path).toBe(path);
  });
});
