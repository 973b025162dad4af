import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, BASE, type Site, startSite } from '../support/site.ts';

/** Properties of a resource that the contract needs. */
export interface Resource {
  /** Collection path below the namespace, such as `/posts`. */
  readonly path: string;
  /** A role with all rights, and one that may only read. */
  readonly keeper: As;
  readonly stranger: As;
  /** A valid body for a creation; `mark` makes it unique. */
  readonly make: (mark: string) => Record<string, unknown> | Uint8Array;
  /** Prepares a site that does not have the resource by default. */
  readonly prepare?: (site: Site) => Promise<unknown>;
  /** Headers of a creation. */
  readonly headers?: (mark: string) => Readonly<Record<string, string>>;
  /** A body for an update, and the members that show it. */
  readonly change: { readonly body: Record<string, unknown>; readonly shown: Record<string, unknown> };
  /** Names of the fields per context, without `_links`. */
  readonly fields: {
    readonly view: readonly string[];
    readonly embed: readonly string[];
    readonly edit: readonly string[];
  };
  /** Error code for an unknown id. */
  readonly unknown: string;
}

/** Rules of all resources of the interface. */
export function resourceContract(name: string, resource: Resource): void {
  const { path, keeper, stranger, make, change, fields } = resource;
  describe(`${name}, like every resource`, () => {
    let site: Site;
    let id = 0;
    const create = (as: As, mark: string) =>
      site.call(as, `POST ${path}`, make(mark), { headers: resource.headers?.(mark) ?? {} });
    const created = async (mark: string): Promise<number> => {
      const { status, body } = await create(keeper, mark);
      expect(status).toBe(201);
      return body.id;
    };
    beforeAll(async () => {
      site = await startSite();
      await resource.prepare?.(site);
      id = await created('first');
    });
    afterAll(() => site.close());

    it('is listed in the index with its methods', async () => {
      const { body } = await site.call('anonymous', 'GET /cms-json/');
      expect(body.routes[`/cms/v2${path}`].methods).toEqual(['GET', 'POST']);
      expect(body.routes[`/cms/v2${path}/(?P<id>[\\d]+)`].methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    });

    it('describes the schema of its records by OPTIONS', async () => {
      const { body } = await site.call('anonymous', `OPTIONS ${path}`);
      const shown = new Set([...fields.view, ...fields.embed, ...fields.edit]);
      expect(Object.keys(body.schema.properties).sort()).toEqual([...shown].sort());
    });

    it.each(['view', 'embed', 'edit'] as const)('shows exactly its fields in context %s', async (context) => {
      const { body } = await site.call(keeper, `GET ${path}/${id}?context=${context}`);
      expect(
        Object.keys(body)
          .filter((field) => field !== '_links')
          .sort(),
      ).toEqual([...fields[context]].sort());
    });

    it('refuses context edit to anonymous requests', async () => {
      const { status, body } = await site.call('anonymous', `GET ${path}/${id}?context=edit`);
      expect([status, body.code]).toEqual([401, 'rest_forbidden_context']);
    });

    it('pages through its list without gaps or duplicates', async () => {
      for (const mark of ['a', 'b', 'c', 'd']) await created(`page ${mark}`);
      const all = await site.call(keeper, `GET ${path}?per_page=100`);
      const total = Number(all.headers.get('x-cms-total'));
      expect(all.body).toHaveLength(total);
      const ids: number[] = [];
      for (let page = 1; page <= Math.ceil(total / 2); page++) {
        const { body } = await site.call(keeper, `GET ${path}?per_page=2&page=${page}`);
        ids.push(...body.map((record: { id: number }) => record.id));
      }
      expect(ids).toEqual(all.body.map((record: { id: number }) => record.id));
    });

    it('answers a creation with 201, Location and context edit', async () => {
      const before = site.position();
      const { status, headers, body } = await create(keeper, 'created');
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`${BASE}${path}/${body.id}`);
      expect(Object.keys(body)).toEqual(expect.arrayContaining([...fields.edit]));
      expect(Number(headers.get('x-cms-position'))).toBe(site.position());
      expect(site.position()).toBeGreaterThan(before);
    });

    it('refuses writes without the right, and appends nothing', async () => {
      const before = site.position();
      const refused = [
        await create(stranger, 'stranger'),
        await site.call(stranger, `PUT ${path}/${id}`, change.body),
        await site.call(stranger, `DELETE ${path}/${id}?force=true`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(site.position()).toBe(before);
    });

    it.each(['POST', 'PUT', 'PATCH'])('changes only fields that are sent by %s', async (method) => {
      const one = await created(`to change by ${method}`);
      const { body: before } = await site.call(keeper, `GET ${path}/${one}?context=edit`);
      const { status, body: after } = await site.call(keeper, `${method} ${path}/${one}`, change.body);
      expect(status).toBe(200);
      expect(after).toMatchObject(change.shown);
      for (const field of ['id', 'link', 'slug'].filter((known) => !(known in change.shown)))
        expect(after[field]).toEqual(before[field]);
    });

    it('deletes permanently with force, and returns the deleted record', async () => {
      const one = await created('to delete');
      const { status, body } = await site.call(keeper, `DELETE ${path}/${one}?force=true`);
      expect([status, body.deleted, body.previous.id]).toEqual([200, true, one]);
      const gone = await site.call(keeper, `GET ${path}/${one}`);
      expect([gone.status, gone.body.code]).toEqual([404, resource.unknown]);
    });

    it('answers 404 for an unknown id', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await site.call(keeper, `${method} ${path}/987654321?force=true`);
        expect([status, body.code]).toEqual([404, resource.unknown]);
      }
    });

    it('answers 304 until it changes', async () => {
      const one = await created('to repeat');
      const first = await site.call('anonymous', `GET ${path}?include=${one}`);
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
      expect((await site.call('anonymous', `GET ${path}?include=${one}`, undefined, { headers })).status).toBe(304);
      await site.call(keeper, `PUT ${path}/${one}`, change.body);
      expect((await site.call('anonymous', `GET ${path}?include=${one}`, undefined, { headers })).status).toBe(200);
    });
  });
}
