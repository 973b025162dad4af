import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { openFolder } from '#objects/folder.ts';
import { openObjects } from '#objects/open.ts';
import { ObjectMissing, type ObjectStore, ObjectsUnavailable } from '#objects/port.ts';
import { prefix, useS3 } from '../support/s3.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const s3 = await useS3();
afterEach(() => {
  s3.fault = null;
  s3.objects.clear();
});

const engines: readonly [string, () => Promise<ObjectStore>][] = [
  ['a folder', () => openObjects(join(temporaryDirectory(), 'not', 'there', 'yet'))],
  ['a bucket', () => openObjects(s3.url)],
];

const put = (store: ObjectStore, key: string, text: string) => store.put(key, Readable.from([Buffer.from(text)]));

async function textIn(store: ObjectStore, key: string, part?: { start: number; end: number }): Promise<string> {
  return Buffer.concat(await Array.fromAsync(await store.read(key, part))).toString();
}

const keysOf = async (store: ObjectStore, start = '') =>
  Array.fromAsync(store.list(start), ({ key, bytes }) => `${key} ${bytes}`);

describe.each(engines)('%s of objects', (_, open) => {
  it('returns an object, whole and in part', async () => {
    const store = await open();
    await put(store, 'ab/cdef', 'letters');
    expect(await textIn(store, 'ab/cdef')).toBe('letters');
    expect(await textIn(store, 'ab/cdef', { start: 2, end: 4 })).toBe('tte');
    expect(await store.head('ab/cdef')).toMatchObject({ bytes: 7 });
  });

  it('contains nothing under a key whose object was removed', async () => {
    const store = await open();
    await put(store, 'a', 'x');
    await store.remove('a');
    await store.remove('a');
    expect(await store.head('a')).toBeNull();
    await expect(store.read('a')).rejects.toThrow(ObjectMissing);
    expect(await keysOf(store)).toEqual([]);
  });

  it('keeps an empty object', async () => {
    const store = await open();
    await put(store, 'none', '');
    expect([await store.head('none'), await textIn(store, 'none')]).toMatchObject([{ bytes: 0 }, '']);
  });

  it('replaces an object, which changes its version', async () => {
    const store = await open();
    await put(store, 'a', 'one');
    const first = await store.head('a');
    await put(store, 'a', 'other');
    expect(await textIn(store, 'a')).toBe('other');
    expect((await store.head('a'))?.version).not.toBe(first?.version);
  });

  it('moves a local file into the store', async () => {
    const store = await open();
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, 'from here');
    await store.take('x/y', path);
    expect([await textIn(store, 'x/y'), existsSync(path)]).toEqual(['from here', false]);
  });

  it('lists keys with a prefix in order, over any number of pages', async () => {
    const store = await open();
    const keys = ['b/2', 'b/1', 'b-1', 'a/1/2', 'c', 'b/10', 'b0'];
    for (const key of keys) await put(store, key, key);
    expect(await keysOf(store)).toEqual(keys.toSorted().map((key) => `${key} ${key.length}`));
    expect(await keysOf(store, 'b/')).toEqual(['b/1 3', 'b/10 4', 'b/2 3']);
    expect(await keysOf(store, 'a/1')).toEqual(['a/1/2 5']);
    expect(await keysOf(store, 'nothing')).toEqual([]);
  });

  it.each([100, 40_000_000])('stores nothing if the source fails after %i bytes', async (bytes) => {
    const store = await open();
    const failing = async function* () {
      for (let left = bytes; left > 0; left -= 4_000_000) yield Buffer.alloc(Math.min(left, 4_000_000));
      throw new RangeError('broken source');
    };
    await expect(store.put('a', failing())).rejects.toThrow(RangeError);
    expect([await store.head('a'), await keysOf(store), s3.unfinished.size]).toEqual([null, [], 0]);
  });

  it('stores an object larger than one part of an upload', async () => {
    const store = await open();
    const pieces = Array.from({ length: 9 }, (_, i) => Buffer.alloc(4_000_000, i));
    await store.put('large', Readable.from(pieces));
    const back = Buffer.concat(await Array.fromAsync(await store.read('large')));
    expect(back.equals(Buffer.concat(pieces))).toBe(true);
  });

  it('returns the time of the clock that dates its objects', async () => {
    const store = await open();
    await put(store, 'a', 'x');
    const { changed = 0 } = (await store.head('a')) ?? {};
    expect(Math.abs((await store.now()) - changed)).toBeLessThan(60_000);
    expect(await keysOf(store)).toEqual(['a 1']);
  });
});

describe('a folder of objects', () => {
  it.each(['../out', 'a/../../out', '/etc/hostname', 'a/./b', 'a//b', '', '..', 'a\\..\\b', 'a\0b'])(
    'has no object under %j',
    async (key) => {
      const root = join(temporaryDirectory(), 'objects');
      const store = openFolder(root);
      writeFileSync(join(root, '..', 'out'), 'outside');
      await expect((async () => store.read(key))()).rejects.toThrow('is no key');
      await expect((async () => store.put(key, Readable.from([Buffer.from('x')])))()).rejects.toThrow('is no key');
      await expect((async () => store.remove(key))()).rejects.toThrow('is no key');
      expect(readFileSync(join(root, '..', 'out'), 'utf8')).toBe('outside');
    },
  );
});

describe('a bucket that cannot be reached', () => {
  it.each(['gone', 'busy'] as const)('makes every call fail as unavailable: %s', async (fault) => {
    const store = await openObjects(s3.url);
    await put(store, 'a', 'x');
    s3.fault = fault;
    const acts = [
      store.head('a'),
      store.read('a'),
      put(store, 'b', 'y'),
      store.remove('a'),
      keysOf(store),
      store.now(),
    ];
    for (const act of await Promise.allSettled(acts)) {
      expect(act).toMatchObject({ status: 'rejected', reason: expect.any(ObjectsUnavailable) });
    }
    s3.fault = null;
    expect(await keysOf(store)).toEqual(['a 1']);
  });

  it('makes a read fail when the response breaks off', async () => {
    const store = await openObjects(s3.url);
    await put(store, 'a', 'some letters');
    s3.fault = 'cut';
    await expect(textIn(store, 'a')).rejects.toThrow(ObjectsUnavailable);
  });

  it('makes calls fail when it does not exist or rejects the credentials', async () => {
    const other = await openObjects(s3.url.replace('//bucket', '//another'));
    await expect(put(other, 'a', 'x')).rejects.toThrow('NoSuchBucket');
    const store = await openObjects(s3.url);
    process.env['AWS_ACCESS_KEY_ID'] = 'wrong';
    await expect(put(store, 'a', 'x')).rejects.toThrow(ObjectsUnavailable);
    process.env['AWS_ACCESS_KEY_ID'] = 'key';
    expect([...s3.objects.keys()]).toEqual([]);
    await put(await openObjects(s3.url), 'a', 'x');
    expect([...s3.objects.keys()]).toEqual([`${prefix}a`]);
  });
});
