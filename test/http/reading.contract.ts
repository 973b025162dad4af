import { beforeAll, describe, expect, it } from 'vitest';
import type { As, Site } from '../support/site.ts';
import type { Difference } from './difference.ts';

type Rec = Readonly<Record<string, unknown>>;

/** A collection whose items clients only read or whose items have other keys than ids, or a single record. */
export interface Readable {
  /** Routes of collection and item, or of the record, as the index lists them, without names of parameters. */
  readonly routes: readonly [collection: string, item: string] | readonly [single: string];
  readonly methods: readonly (readonly string[])[];
  /** A role that reads everything. */
  readonly keeper: As;
  /** Code with which users without the right are refused, or null: everybody reads. */
  readonly refusal: string | null;
  /** Makes an item on the site. Returns the path of its collection, and its key; null: the collection is always empty, or it is a record. */
  readonly find: (site: Site) => Promise<readonly [path: string, key: string | null]>;
  /** A key that nothing has, and the error code for it; null: there are no keys. */
  readonly unknown: readonly [key: string, code: string] | null;
  readonly differs?: Differences;
}

interface Differences {
  /** The code with which an item is refused, if it is another one. */
  readonly itemRefusal?: Difference<string>;
  /** OPTIONS describes no records. */
  readonly noSchema?: Difference<true>;
  /** The answer is a map by name. */
  readonly keyed?: Difference<true>;
  /** The item is itself a list: the part of the collection that the key names. */
  readonly part?: Difference<true>;
  /** An unknown key names an empty part. */
  readonly emptyPart?: Difference<true>;
  /** Every key leads to the latest item. */
  readonly anyKey?: Difference<true>;
  /** Another route has the same paths, and refuses other methods with this code. */
  readonly otherRoute?: Difference<string>;
}

/** Rules of all collections of the interface that clients read. */
export function readingContract(readable: Readable, start: () => Promise<Site>): void {
  const { routes, methods, keeper, refusal, differs = {} } = readable;
  const isSingle = routes.length === 1;
  describe(`${routes[0]}, like everything that clients read`, () => {
    let site: Site;
    let path: string;
    let key: string | null;
    const paths = () => [path, ...(key === null ? [] : [`${path}/${key}`])];
    const recordsIn = (body: unknown): readonly Rec[] => Object.values(body as Readonly<Record<string, Rec>>);
    const recordsAt = async (request: string): Promise<readonly Rec[]> => {
      const { status, body } = await site.call(keeper, `GET ${request}`);
      expect(status, request).toBe(200);
      if (isSingle) return [body];
      return differs.part !== undefined || request === path ? recordsIn(body) : [body];
    };
    beforeAll(async () => {
      site = await start();
      [path, key] = await readable.find(site);
    });

    it('is listed in the index with its methods', async () => {
      const { body } = await site.call('anonymous', 'GET /cms-json/');
      const listed = Object.entries(body.routes as Readonly<Record<string, { readonly methods: readonly string[] }>>);
      const known = new Map(listed.map(([route, { methods }]) => [nameless(route), methods]));
      expect(routes.map((route) => known.get(`/cms/v2${route}`))).toEqual(methods);
    });

    it.skipIf(differs.noSchema)('has records that the schema describes', async () => {
      for (const one of paths()) {
        const { body } = await site.call(keeper, `OPTIONS ${one}`);
        const known = new Set([...Object.keys(body.schema.properties), '_links']);
        for (const record of await recordsAt(one))
          expect(Object.keys(record).filter((name) => !known.has(name))).toEqual([]);
      }
    });

    it.skipIf(isSingle)('lists what its item shows', async () => {
      if (key === null) {
        expect(await recordsAt(path)).toEqual([]);
        return;
      }
      const all = (await recordsAt(path)).map(withoutLinks);
      const shown = (await recordsAt(`${path}/${key}`)).map(withoutLinks);
      expect(shown).not.toEqual([]);
      expect(all).toEqual(expect.arrayContaining(shown));
    });

    it.skipIf(isSingle)('answers with a list, or with a map where names are keys', async () => {
      const { body } = await site.call(keeper, `GET ${path}`);
      expect(Array.isArray(body)).toBe(differs.keyed === undefined);
    });

    it(refusal === null ? 'is open to everybody' : 'is refused without the right to read it', async () => {
      for (const one of paths()) {
        const [visitor, user] = [
          await site.call('anonymous', `GET ${one}`),
          await site.call('subscriber', `GET ${one}`),
        ];
        if (refusal === null) expect([visitor.status, user.status]).toEqual([200, 200]);
        else {
          const code = one === path ? refusal : (differs.itemRefusal?.is ?? refusal);
          expect([visitor.status, visitor.body.code, user.status, user.body.code]).toEqual([401, code, 403, code]);
        }
      }
    });

    it.skipIf(readable.unknown === null)('answers 404 for an unknown key', async () => {
      const [unknown, code] = readable.unknown ?? [];
      const { status, body } = await site.call(keeper, `GET ${path}/${unknown}`);
      if (differs.anyKey) expect(body).toEqual((await site.call(keeper, `GET ${path}/${key}`)).body);
      else if (differs.emptyPart) expect([status, body]).toEqual([200, []]);
      else expect([status, body.code]).toEqual([404, code]);
    });

    it('answers 404 to methods that it does not have', async () => {
      const before = site.position();
      for (const [place, one] of paths().entries()) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods[place]?.includes(each))) {
          const { status, body } = await site.call(keeper, `${method} ${one}`, {});
          expect([method, one, status, body.code]).toEqual([
            method,
            one,
            404,
            differs.otherRoute?.is ?? 'rest_no_route',
          ]);
        }
      }
      expect(site.position()).toBe(before);
    });

    it('changes nothing when it is read, and answers 304', async () => {
      const before = site.position();
      for (const one of paths()) {
        const first = await site.call(keeper, `GET ${one}`);
        const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
        expect((await site.call(keeper, `GET ${one}`, undefined, { headers })).status).toBe(304);
      }
      expect(site.position()).toBe(before);
    });
  });
}

/** A route without the names of its parameters. */
export function nameless(route: string): string {
  return route.replaceAll(/\?P<\w+>/g, '');
}

function withoutLinks({ _links, ...record }: Rec): Rec {
  return record;
}
