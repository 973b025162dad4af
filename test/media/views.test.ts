import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anonymous } from '#domain/user/roles.ts';
import { refusalFor, statusOf } from '#http/message/problem.ts';
import { createImageQueue } from '#media/uploads.ts';
import { ImageViews } from '#media/views.ts';
import { openFolder } from '#objects/folder.ts';

const image = { hash: 'a'.repeat(64), type: 'image/png' };
const view = (w: number) => ({ w, h: 0, fit: 'inside', fm: null }) as const;
let folder: string;
let source: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'views-'));
  source = join(folder, 'source');
  await sharp({ create: { width: 90, height: 60, channels: 3, background: 'red' } })
    .png()
    .toFile(source);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Views whose making waits until `go` is called. */
function held() {
  const images = createImageQueue();
  const { promise, resolve: go } = Promise.withResolvers<void>();
  void images(() => promise);
  const options = {
    limit: 1e9,
    pixels: 1e6,
    isNamed: () => true,
    onFault: (error: unknown) => expect(error).toBe(null),
  };
  const store = openFolder(join(folder, 'images'));
  return { go, views: new ImageViews({ ...options, store, images, locally: (_, work) => work(source) }) };
}

function kept(): readonly string[] {
  const place = join(folder, 'images');
  return existsSync(place)
    ? readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
    : [];
}

describe('views of images', () => {
  it('do not wait in any number: further ones are refused until some are made', async () => {
    const { views, go } = held();
    const all = Array.from({ length: 250 }, (_, i) => views.find(image, view(i + 1)).catch((error: unknown) => error));
    const refused = await Promise.any(all.map(async (one) => ((await one) instanceof Error ? one : Promise.reject())));
    const refusal = refusalFor(refused);
    expect([refusal.code, statusOf(refusal, anonymous)]).toEqual(['rest_too_many_images', 503]);
    go();
    const made = await Promise.all(all);
    expect(made.filter((one) => one instanceof Error)).toHaveLength(50);
    expect(await views.find(image, view(250))).toMatchObject({ type: 'image/png' });
  });

  it('go with their image, also those that are being made, and none is made again', async () => {
    const { views, go } = held();
    const making = [views.find(image, view(30)), views.find(image, view(40))];
    rmSync(source);
    const forgotten = views.forget(image.hash);
    go();
    expect(await Promise.all(making)).toEqual(['unreadable', 'unreadable']);
    await forgotten;
    expect(kept()).toEqual([]);
    expect(await views.find(image, view(30))).toBe('unreadable');
  });

  it('that were begun with the image are removed with it', async () => {
    const { views, go } = held();
    const making = views.find(image, view(30));
    const forgotten = making.then(() => views.forget(image.hash));
    const before = making.then(() => kept().length);
    go();
    expect(await before).toBe(1);
    await forgotten;
    expect(kept()).toEqual([]);
  });
});
