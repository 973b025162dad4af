import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { onDisk } from '#media/unavailable.ts';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../../support/uploads.ts';

/** What the next append does: as it should, nothing, or everything but to say so. */
let next: 'append' | 'fail' | 'append and fail';
let site: Site;

function faulty(store: EventStore): EventStore {
  return {
    ...store,
    async append(...given) {
      const how = next;
      next = 'append';
      if (how === 'fail') throw new LogUnavailable('the disk is full');
      const appended = await store.append(...given);
      if (how === 'append and fail') throw new LogUnavailable('nobody knows');
      return appended;
    },
  };
}

beforeEach(async () => {
  next = 'append';
  site = await startSite({ openLog: (path) => faulty(openSqliteStore({ path })) });
});
afterEach(() => site.close());

const upload = (name: string) => uploadBody(site, 'author', { name, type: 'image/png', bytes: pngOf(400, 300) });

describe('an upload that the store cannot take', () => {
  it('leaves neither a file nor an event', async () => {
    const position = site.position();
    next = 'fail';
    const { status, body } = await upload('a.png');
    expect([status, body.code, site.position(), filesKept(site)]).toEqual([
      503,
      'rest_store_unavailable',
      position,
      [],
    ]);
    expect((await upload('a.png')).status).toBe(201);
  });

  it('keeps its files where the event came into the log all the same', async () => {
    next = 'append and fail';
    expect((await upload('a.png')).status).toBe(503);
    const { body } = await site.call('anonymous', 'GET /media');
    expect(body).toHaveLength(1);
    expect((await fetchFile(site, body[0].source_url)).status).toBe(200);
    expect((await fetchFile(site, body[0].media_details.sizes.medium.source_url)).status).toBe(200);
  });

  it('takes nothing from another one that has the same bytes', async () => {
    next = 'fail';
    const answers = await Promise.all(['a.png', 'b.png', 'c.png'].map(upload));
    const taken = answers.filter(({ status }) => status === 201);
    const again = await upload('d.png');
    for (const { body } of [...taken, again]) expect((await fetchFile(site, body.source_url)).status).toBe(200);
  });

  it.each(['ENOSPC', 'EIO', 'EDQUOT', 'EROFS'])('is a 503 when the disk of the files says %s', async (code) => {
    const position = site.position();
    const fails = vi
      .spyOn(site.node.store.files, 'receive')
      .mockImplementation(() =>
        onDisk(Promise.reject(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))),
      );
    const { status, body, headers } = await upload('a.png');
    expect([status, body.code, site.position()]).toEqual([503, 'rest_store_unavailable', position]);
    expect(headers.get('retry-after')).not.toBeNull();
    fails.mockRestore();
    expect((await upload('a.png')).status).toBe(201);
  });

  it('is a fault when it is the folder of the files that fails, and others go on', async () => {
    const position = site.position();
    rmSync(join(site.directory, 'media', 'tmp'), { recursive: true });
    const { status, body } = await upload('a.png');
    expect([status, body.code, site.position()]).toEqual([500, 'internal_server_error', position]);
    expect((await site.call('author', 'POST /posts', { title: 'Goes on' })).status).toBe(201);
  });
});
