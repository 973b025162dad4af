import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document, Operation, Schema } from '#http/openapi/types.ts';
import { namespacesIn } from '#http/tables/namespaces.ts';
import { startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';

describe.each(['A', 'B'] as const)('the OpenAPI document of deployment %s', (deployment) => {
  let site: Site;
  let document: Document;
  beforeAll(async () => {
    site = await startPluginSite(deployment);
    document = (await site.call('anonymous', 'GET /cms-json/openapi.json')).body;
  });
  afterAll(() => site.close());

  function operations(): readonly (readonly [string, Operation])[] {
    const there = namespacesIn(deployment);
    return Object.entries(document.paths).flatMap(([path, item]) =>
      there.some(({ name }) => path.startsWith(`/${name}/`))
        ? ['get', 'post'].flatMap((method) => {
            const operation = item[method];
            return operation === undefined ? [] : [[`${method} ${path}`, operation] as const];
          })
        : [],
    );
  }

  it('has a response schema for every plugin route', () => {
    expect(operations().length).toBeGreaterThan(30);
    for (const [name, { responses }] of operations()) {
      const { content } = responses['200'] as { content: Readonly<Record<string, { schema: Schema }>> };
      const [{ schema = {} } = {}] = Object.values(content);
      expect([name, Object.keys(schema)]).not.toEqual([name, []]);
    }
  });

  it('has a schema for every parameter of a plugin route', () => {
    for (const [name, { parameters, requestBody }] of operations()) {
      const body = requestBody?.content['application/json']?.schema['$ref'];
      const schema = document.components.schemas[String(body).replace('#/components/schemas/', '')];
      const schemas = parameters.flatMap((one) => ('schema' in one ? [[one.name, one.schema] as const] : []));
      const all = [...schemas, ...Object.entries((schema?.['properties'] ?? {}) as Record<string, Schema>)];
      const vague = all.filter(([, one]) => !['type', 'anyOf', 'enum', 'const'].some((key) => key in one));
      expect([name, vague.map(([parameter]) => parameter)]).toEqual([name, []]);
    }
  });

  it('passes a linter without findings', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    // For the types of clients, which look up the attributes of a block by its name.
    const known = 'no-unused-components #/components/schemas/block-attributes';
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`)).toEqual([known]);
  });
});

describe('the OpenAPI document of the design library', () => {
  it('contains its path with and without reset', async () => {
    const site = await startPluginSite('B');
    const { paths } = (await site.call('anonymous', 'GET /cms-json/openapi.json')).body as Document;
    expect(paths['/builder/v2/design_library']?.['get']).toBeDefined();
    expect(paths['/builder/v2/design_library/{reset}']?.['get']).toBeDefined();
    await site.close();
  });
});
