import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

/** Views whose making waits until `go` is called. `before`: before one is made of the bytes that are there. */
function held(before: () => Promise<void> = async () => undefined) {
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
  return {
    go,
    views: new ImageViews({ ...options, store, images, locally: (_, work) => before().then(() => work(source)) }),
  };
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
    const all = Array.from({ length: 250 }, (_, i) => views.find(image, view(i + 1)));
    expect(await Promise.race(all)).toBe('crowded');
    go();
    expect((await Promise.all(all)).filter((one) => one === 'crowded')).toHaveLength(50);
    expect(await views.find(image, view(250))).toMatchObject({ type: 'image/png' });
  });

  it('that wait to be made when their image goes are not made', async () => {
    const { views, go } = held();
    const making = [views.find(image, view(30)), views.find(image, view(40))];
    rmSync(source);
    // Not even while something else, which may wait for this, is being worked on.
    await views.forget(image.hash);
    go();
    expect(await Promise.all(making)).toEqual(['unreadable', 'unreadable']);
    expect(kept()).toEqual([]);
    expect(await views.find(image, view(30))).toBe('unreadable');
  });

  it('that are being made when their image goes are removed with it', async () => {
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { views, go } = held(async () => {
      begun.resolve();
      await goOn.promise;
    });
    const making = views.find(image, view(30));
    go();
    await begun.promise;
    const forgotten = views.forget(image.hash);
    goOn.resolve();
    expect(await making).toMatchObject({ type: 'image/png' });
    await forgotten;
    expect(kept()).toEqual([]);
  });
});
