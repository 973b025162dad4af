import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typed } from '../node/erasure/support.ts';
import { PUBLIC, startOutside } from '../outgoing/support.ts';
import { ordered } from '../support/erasure-order.ts';
import { carryOut } from '../support/place.ts';
import { callback, callPlugin, startPluginSite } from '../support/plugins.ts';
import type { Site } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { filesKept, keptPath, uploadBody } from '../support/uploads.ts';

let site: Site;
let outside: Awaited<ReturnType<typeof startOutside>>;
/** The files made of each item: a cut of it and an optimised image. */
const made = new Map<number, readonly string[]>();

const image = (colour: string) =>
  sharp({ create: { width: 80, height: 60, channels: 3, background: colour, noise: { type: 'gaussian', sigma: 30 } } });

beforeAll(async () => {
  const finished = new Map<string, Buffer>();
  outside = await startOutside((request, response) => response.end(finished.get(request.url ?? '')), {
    'node.optimiser.example': [PUBLIC],
  });
  site = await startPluginSite('A', {}, { outgoing: outside.outgoing });
  for (const colour of ['#c33', '#3c3']) {
    const bytes = await image(colour).png().toBuffer();
    const { id } = (await uploadBody(site, 'author', { name: `${colour.slice(1)}.png`, type: 'image/png', bytes }))
      .body;
    const before = new Set(filesKept(site));
    const size = { image_id: id, custom_size: { width: 20, height: 20 } };
    expect((await callPlugin(site, 'author', 'POST /theme-blocks/v1/resize-image', size)).body.status).toBe('success');
    const webp = await image(colour).webp({ quality: 20 }).toBuffer();
    finished.set(`/${id}`, webp);
    const told = { id, src_size: bytes.length, webp: `${id}`, webp_md5: createHash('md5').update(webp).digest('hex') };
    await callback(site, '/cache/v1/notify_img', {
      ...{ data: { [id]: told }, server: 'https://node.optimiser.example', status: 6 },
    });
    for (const job of site.jobs) await job.work();
    made.set(
      id,
      filesKept(site).filter((path) => !before.has(path)),
    );
    expect(made.get(id)).toHaveLength(2);
  }
});
afterAll(async () => {
  await site.close();
  await outside.close();
});

const keptIn = (directory: string) => filesKept({ directory }).sort();

it('export and import include cut and optimised images', async () => {
  const [file, media, target] = [join(temporaryDirectory(), 'log.ndjson'), temporaryDirectory(), temporaryDirectory()];
  const all = keptIn(site.directory);
  expect(await carryOut(site.directory, 'export', { file, media })).toMatchObject({ value: { files: all.length } });
  expect(await carryOut(target, 'import', { file, media })).toMatchObject({ kind: 'done' });
  expect(keptIn(target)).toEqual(all);
});

it('`verify` reports each missing cut or optimised image', async () => {
  const place = temporaryDirectory();
  await carryOut(site.directory, 'backup', { to: place });
  const target = join(temporaryDirectory(), 'restored');
  await carryOut(target, 'restore', { from: place });
  expect(await carryOut(target, 'verify')).toMatchObject({ kind: 'done' });
  const lost = [...made.values()].flat();
  for (const path of lost) rmSync(keptPath({ directory: target }, path.slice(3)));
  const outcome = JSON.stringify(await carryOut(target, 'verify'));
  for (const path of lost) expect(outcome).toContain(`The file ${path.slice(3)} is missing`);
});

it('backups and `media move` include cut and optimised images, and erasing an item removes only its own', async () => {
  const [place, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
  expect(await carryOut(site.directory, 'backup', { to: place })).toMatchObject({ kind: 'done' });
  const [[erased = 0, gone = []] = [], [, stay = []] = []] = [...made];
  expect(keptIn(place)).toEqual(keptIn(site.directory));
  expect(await typed(site.node, 'erase media', { id: String(erased), ...ordered })).toMatchObject({ kind: 'done' });
  expect(await carryOut(site.directory, 'backup', { to: place })).toMatchObject({ value: { findings: [] } });
  await carryOut(site.directory, 'media move', { to: join(elsewhere, 'media') });
  // The same folder by another name is no other store.
  const link = join(elsewhere, 'link');
  symlinkSync(join(site.directory, 'media'), link);
  const again = carryOut(site.directory, 'media move', { to: link, remove: true });
  await expect(again).rejects.toThrow('from and to are the same');
  for (const directory of [site.directory, place, elsewhere]) {
    const kept = keptIn(directory);
    expect(kept.filter((path) => gone.includes(path))).toEqual([]);
    expect(kept).toEqual(expect.arrayContaining([...stay]));
  }
});
