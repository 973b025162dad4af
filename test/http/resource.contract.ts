import { beforeAll, describe, expect, it } from 'vitest';
import { type As, BASE, type Site } from '../support/site.ts';
import type { Difference } from './difference.ts';

/** Where the fields and resources are listed that a test misses. */
export const listed = 'listed in test/http/resources.ts';

/** Properties of a resource that the contract needs. */
export interface Resource {
  /** Collection path below the namespace, such as `/posts`. */
  readonly path: string;
  /** A role with all rights, and one that may only read. */
  readonly keeper: As;
  readonly stranger: As;
  /** A valid body for a creation; `mark` makes it unique. */
  readonly make: (mark: string) => Record<string, unknown> | Uint8Array;
  /** Members of every creation that name something else on the site. */
  readonly given?: (site: Site) => Promise<Record<string, unknown>>;
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
  /** Whether items go to a trash. */
  readonly trash: boolean;
  readonly differs?: Differences;
}

/** Rules that do not hold for a resource, and what holds instead. */
interface Differences {
  /** Who reads the collection. Usual: everybody. */
  readonly reader?: Difference<As>;
  /** Pattern of an id in the index. Usual: digits. */
  readonly pattern?: Difference<string>;
  /** An id that nothing has. Usual: a number. */
  readonly unknownId?: Difference<string>;
  /** Code with which context edit is refused to anonymous requests. */
  readonly editRefusal?: Difference<string>;
  /** Where an item is in the trash, and the code with which a second deletion is refused. Usual: its own address. */
  readonly inTrash?: Difference<{ readonly id: (id: unknown) => string; readonly code: string }>;
  /** Code with which the past is refused. */
  readonly noPast?: Difference<string>;
  /** The collection has no pages. */
  readonly unpaged?: Difference<true>;
  /** Everybody with an account can create. */
  readonly openToAll?: Difference<true>;
  /** Parameters that a deletion needs. */
  readonly deletion?: Difference<string>;
  /** Members of the schema that no record shows. */
  readonly unshown?: Difference<readonly string[]>;
}

/** Rules of all resources of the interface. */
export function resourceContract(resource: Resource, start: () => Promise<Site>): void {
  const { path, keeper, stranger, make, change, fields, differs = {} } = resource;
  const reader = differs.reader?.is ?? 'anonymous';
  const deletion = differs.deletion?.is ?? '';
  const unknown = differs.unknownId?.is ?? '987654321';
  describe(`${path}, like every resource`, () => {
    let site: Site;
    let given: Record<string, unknown> = {};
    let id: number | string;
    const create = (as: As, mark: string) => {
      const body = make(mark);
      const sent = body instanceof Uint8Array ? body : { ...given, ...body };
      return site.call(as, `POST ${path}`, sent, { headers: resource.headers?.(mark) ?? {} });
    };
    const created = async (mark: string): Promise<number> => {
      const { status, body } = await create(keeper, mark);
      expect(status).toBe(201);
      return body.id;
    };
    beforeAll(async () => {
      site = await start();
      given = (await resource.given?.(site)) ?? {};
      id = await created('first');
    });

    it('is listed in the index with its methods', async () => {
      const { body } = await site.call('anonymous', 'GET /cms-json/');
      const item = `/cms/v2${path}/(?P<id>${differs.pattern?.is ?? '[\\d]+'})`;
      expect(body.routes[`/cms/v2${path}`].methods).toEqual(['GET', 'POST']);
      expect(body.routes[item].methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    });

    it('describes the schema of its records by OPTIONS', async () => {
      const { body } = await site.call('anonymous', `OPTIONS ${path}`);
      const shown = new Set([...fields.view, ...fields.embed, ...fields.edit, ...(differs.unshown?.is ?? [])]);
      expect(Object.keys(body.schema.properties).sort(), listed).toEqual([...shown].sort());
    });

    it.each(['view', 'embed', 'edit'] as const)('shows exactly its fields in context %s', async (context) => {
      const { body } = await site.call(keeper, `GET ${path}/${id}?context=${context}`);
      expect(
        Object.keys(body)
          .filter((field) => field !== '_links')
          .sort(),
        listed,
      ).toEqual([...fields[context]].sort());
    });

    it('refuses context edit to anonymous requests', async () => {
      const { status, body } = await site.call('anonymous', `GET ${path}/${id}?context=edit`);
      expect([status, body.code]).toEqual([401, differs.editRefusal?.is ?? 'rest_forbidden_context']);
    });

    it.skipIf(differs.unpaged)('pages through its list without gaps or duplicates', async () => {
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

    it('lists the record that its item shows', async () => {
      const { body: all } = await site.call(keeper, `GET ${path}?per_page=100`);
      const { body: one } = await site.call(keeper, `GET ${path}/${id}`);
      const listed = all.find((record: { id: unknown }) => record.id === id);
      expect({ ...listed, _links: null }).toEqual({ ...one, _links: null });
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
        await site.call(stranger, `PUT ${path}/${id}`, change.body),
        await site.call(stranger, `DELETE ${path}/${id}?force=true${deletion}`),
      ];
      if (!differs.openToAll) refused.push(await create(stranger, 'stranger'));
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
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

    it('shows the record of the past', async () => {
      const one = await created('to look back');
      const { body: before } = await site.call(keeper, `GET ${path}/${one}?context=edit`);
      const position = site.position();
      await site.call(keeper, `PUT ${path}/${one}`, change.body);
      const { status, body } = await site.call(keeper, `GET ${path}/${one}?context=edit&as_of=${position}`);
      if (differs.noPast !== undefined) {
        expect([status, body.code]).toEqual([400, differs.noPast.is]);
        return;
      }
      expect(status).toBe(200);
      for (const field of Object.keys(change.shown)) expect(body[field]).toEqual(before[field]);
    });

    it('deletes permanently with force, and returns the deleted record', async () => {
      const one = await created('to delete');
      const { status, body } = await site.call(keeper, `DELETE ${path}/${one}?force=true${deletion}`);
      expect([status, body.deleted, body.previous.id]).toEqual([200, true, one]);
      const gone = await site.call(keeper, `GET ${path}/${one}`);
      expect([gone.status, gone.body.code]).toEqual([404, resource.unknown]);
    });

    it('deletes without force only into a trash', async () => {
      const one = await created('to throw away');
      const remove = (item: unknown) => site.call(keeper, `DELETE ${path}/${item}?${deletion}`);
      const { status, body } = await remove(one);
      if (!resource.trash) {
        expect([status, body.code]).toEqual([501, 'rest_trash_not_supported']);
        return;
      }
      expect([status, body.id, body.status]).toEqual([200, one, 'trash']);
      const { id: trashed, code } = differs.inTrash?.is ?? { id: String, code: 'rest_already_trashed' };
      const again = await remove(trashed(one));
      expect([again.status, again.body.code]).toEqual([410, code]);
    });

    it('answers 404 for an unknown id', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await site.call(keeper, `${method} ${path}/${unknown}?force=true${deletion}`);
        expect([status, body.code]).toEqual([404, resource.unknown]);
      }
    });

    it('answers 304 until it changes', async () => {
      const one = await created('to repeat');
      const first = await site.call(reader, `GET ${path}?include=${one}`);
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
      expect((await site.call(reader, `GET ${path}?include=${one}`, undefined, { headers })).status).toBe(304);
      await site.call(keeper, `PUT ${path}/${one}`, change.body);
      expect((await site.call(reader, `GET ${path}?include=${one}`, undefined, { headers })).status).toBe(200);
    });
  });
}
