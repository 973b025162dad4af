import { expect } from 'vitest';
import type { As, Site } from './site.ts';
import { pngOf, uploadBody } from './uploads.ts';

/** Helpers that upload files to a site and read media items. */
export function mediaOf(site: () => Site) {
  let count = 0;
  return {
    /** Uploads a unique image. Returns its id. */
    async image(as: As = 'author', query = ''): Promise<number> {
      count += 1;
      const file = { name: `item-${count}.png`, type: 'image/png', bytes: pngOf(count, 1) };
      const { status, body } = await uploadBody(site(), as, file, { query });
      expect(status).toBe(201);
      return body.id;
    },
    textFile: async (name: string, as: As = 'author') =>
      (await uploadBody(site(), as, { name, type: 'text/plain', bytes: name })).body,
    show: async (as: As, id: number, query = '') => (await site().call(as, `GET /media/${id}${query}`)).body,
  };
}
