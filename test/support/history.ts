import type { As, Site } from './site.ts';

export interface ShownRevision {
  readonly id: number;
  readonly author: number;
  readonly content: { readonly raw: string };
}

/** Requests that the tests of revisions share. */
export function historyOn(site: () => Site) {
  const get = async (as: As, path: string) => (await site().call(as, `GET ${path}`)).body;
  const all = (path: string, query = ''): Promise<ShownRevision[]> =>
    get('editor', `${path}/revisions?context=edit${query}`);
  return {
    get,
    /** The revisions of an item in context edit. */
    all,
    contents: async (path: string, query = '') => (await all(path, query)).map(({ content }) => content.raw),
    /** Creates an item and saves it with each of the contents, a minute apart. Returns its path. */
    async saved(as: As, collection: string, ...versions: readonly string[]): Promise<string> {
      const id = await site().make(as, collection, { title: 'Title', content: 'Version 0', status: 'publish' });
      const path = `${collection}/${id}`;
      for (const content of versions) {
        site().clock.now += 60_000;
        await site().call(as, `PUT ${path}`, { content });
      }
      return path;
    },
  };
}

/** Status and code of a refusal. */
export const refusal = (reply: { status: number; body: { code: string } }) => [reply.status, reply.body.code];
