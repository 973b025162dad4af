import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { onDisk } from '#media/files.ts';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../../support/uploads.ts';

/** The next append succeeds, fails, or stores the events and then reports a failure. */
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

describe('an upload during a storage failure', () => {
  it('leaves neither files nor events when the append fails', async () => {
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

  it('keeps its files when the events were stored despite a reported failure', async () => {
    next = 'append and fail';
    expect((await upload('a.png')).status).toBe(503);
    const { body } = await site.call('anonymous', 'GET /media');
    expect(body).toHaveLength(1);
    expect((await fetchFile(site, body[0].source_url)).status).toBe(200);
    expect((await fetchFile(site, body[0].media_details.sizes.medium.source_url)).status).toBe(200);
  });

  it('does not remove files of a concurrent upload with the same bytes', async () => {
    next = 'fail';
    const answers = await Promise.all(['a.png', 'b.png', 'c.png'].map(upload));
    const taken = answers.filter(({ status }) => status === 201);
    const again = await upload('d.png');
    for (const { body } of [...taken, again]) expect((await fetchFile(site, body.source_url)).status).toBe(200);
  });

  it.each(['ENOSPC', 'EIO', 'EDQUOT', 'EROFS'])('answers 503 when writing the file fails with %s', async (code) => {
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

  it.each([
    ['the folder of uploads is missing', (media: string) => rmSync(join(media, 'tmp'), { recursive: true })],
    ['the folder of files is missing', (media: string) => rmSync(media, { recursive: true })],
    [
      'a file is in the place of the folder',
      (media: string) => [rmSync(media, { recursive: true }), writeFileSync(media, '')],
    ],
  ])('answers 503 when %s, while other requests work', async (_, harm) => {
    const position = site.position();
    harm(join(site.directory, 'media'));
    const { status, body } = await upload('a.png');
    expect([status, body.code, site.position()]).toEqual([503, 'rest_store_unavailable', position]);
    expect((await site.call('author', 'POST /posts', { title: 'Goes on' })).status).toBe(201);
  });
});
