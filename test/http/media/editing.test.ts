import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { IMAGE_PIXELS: '1000000' } });
});
afterAll(() => site.close());

const red = { r: 255, g: 0, b: 0 };
const blue = { r: 0, g: 0, b: 255 };

/** An image whose left half is red and whose right half is blue. */
async function halves(width: number, height: number) {
  const left = await sharp({ create: { width: width / 2, height, channels: 3, background: red } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: blue } }).composite([
    { input: left, left: 0, top: 0 },
  ]);
}

let count = 0;
/** Uploads an image under a unique name. */
async function upload(image: Sharp, { ending = 'png', query = '' } = {}) {
  count += 1;
  const format = ending === 'jpg' ? image.jpeg() : ending === 'webp' ? image.webp({ lossless: true }) : image.png();
  const file = { name: `photo-${count}.${ending}`, type: 'image/x', bytes: await format.toBuffer() };
  const { status, body } = await uploadBody(site, 'author', file, { query });
  expect(status).toBe(201);
  return body;
}

const edit = (body: { id: number; source_url: string }, sent: object, as: As = 'author') =>
  site.call(as, `POST /media/${body.id}/edit`, { src: body.source_url, ...sent });

/** Returns the colours at some points of an image as `r` and `b`. */
async function colours(address: string, ...points: readonly (readonly [number, number])[]) {
  const bytes = Buffer.from(await (await fetchFile(site, address)).arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return points.map(([x, y]) => {
    const at = (y * info.width + x) * info.channels;
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'r' : 'b';
  });
}

const crop = (left: number, top: number, width: number, height: number) => ({
  type: 'crop',
  args: { left, top, width, height },
});
const turn = (angle: number) => ({ type: 'rotate', args: { angle } });
const flip = (horizontal: boolean, vertical: boolean) => ({ type: 'flip', args: { flip: { horizontal, vertical } } });

describe('an edited image', () => {
  it.each(['png', 'jpg', 'webp'])('is cropped, rotated and flipped in this order (%s)', async (ending) => {
    const source = await upload(await halves(40, 20), { ending });
    const { status, body } = await edit(source, { modifiers: [crop(25, 0, 75, 100), turn(90), flip(false, true)] });
    expect([status, body.media_details.width, body.media_details.height]).toEqual([201, 20, 30]);
    // After rotating, red is at the top; after flipping, at the bottom.
    expect(await colours(body.source_url, [10, 4], [10, 26])).toEqual(['b', 'r']);
    expect(body.mime_type).toBe(source.mime_type);
  });

  it('has its own sizes, and is named after the original however often it was edited', async () => {
    const source = await upload(await halves(400, 300));
    const once = (await edit(source, { modifiers: [turn(180)] })).body;
    const twice = (await edit(once, { modifiers: [turn(180)] })).body;
    expect(Object.keys(once.media_details.sizes)).toEqual(['medium', 'thumbnail', 'full']);
    expect([once.filename, twice.filename]).toEqual([`photo-${count}-edited.png`, `photo-${count}-edited-1.png`]);
    expect(twice.media_details.parent_image).toEqual({
      attachment_id: String(once.id),
      file: once.media_details.file,
    });
    await site.call('author', `DELETE /media/${once.id}?force=true`);
    const { media_details: details } = (await site.call('anonymous', `GET /media/${twice.id}`)).body;
    expect(details.parent_image.file).toBe(once.media_details.file);
  });

  it('is derived from the upright full-size image', async () => {
    const lying = (await halves(40, 20)).withMetadata({ orientation: 6 });
    const source = await upload(lying, { ending: 'jpg' });
    const { body } = await edit(source, { modifiers: [crop(0, 0, 100, 50)] });
    expect([body.media_details.width, body.media_details.height]).toEqual([20, 20]);
    expect(await colours(body.source_url, [10, 10])).toEqual(['r']);
  });

  it('can be rotated by any angle; crops are clipped to the image', async () => {
    const source = await upload(await halves(40, 20));
    const turned = (await edit(source, { modifiers: [turn(-30.5)] })).body.media_details;
    expect([turned.width > 40, turned.height > 20]).toEqual([true, true]);
    const cut = (await edit(source, { modifiers: [crop(-50, 50, 100, 1e6)] })).body.media_details;
    expect([cut.width, cut.height]).toEqual([20, 10]);
  });

  it('is rotated before it is cropped in the older form of the request', async () => {
    const source = await upload(await halves(40, 20));
    const { body } = await edit(source, { rotation: 90, x: 0, y: 0, width: 100, height: 25 });
    expect([body.media_details.width, body.media_details.height]).toEqual([20, 10]);
    expect(await colours(body.source_url, [10, 5])).toEqual(['r']);
  });

  it('may name its source by the URL of any size, with a query or encoded', async () => {
    const source = await upload(await halves(400, 300));
    const medium = source.media_details.sizes.medium.source_url;
    for (const src of [medium, `${source.source_url}?x=1`, encodeURI(source.source_url)]) {
      expect((await edit(source, { src, modifiers: [turn(90)] })).status).toBe(201);
    }
  });

  it('appears in the log and in earlier states', async () => {
    const source = await upload(await halves(40, 20));
    const { body } = await edit(source, { modifiers: [turn(90)], caption: 'Now' });
    const then = site.position();
    await site.call('author', `PUT /media/${body.id}`, { caption: 'Later' });
    const past = (await site.call('author', `GET /media/${body.id}?as_of=${then}&context=edit`)).body;
    expect([past.caption.raw, past.media_details.parent_image.attachment_id]).toEqual(['Now', String(source.id)]);
    const types = [...site.node.log.read({ stream: `media-${body.id}` })].map(({ type }) => type);
    expect(types).toEqual(['MediaUploaded', 'MediaDerived', 'MediaDescribed']);
  });

  it('is created once by concurrent retries', async () => {
    const source = await upload(await halves(40, 20));
    const sent = { src: source.source_url, modifiers: [turn(90)] };
    const headers = { 'Idempotency-Key': 'turn-once' };
    const answers = [1, 2].map(() => site.call('author', `POST /media/${source.id}/edit`, sent, { headers }));
    const [one, two] = await Promise.all(answers);
    expect(one?.body.id).toBe(two?.body.id);
  });
});

describe('an edit is refused without a trace', () => {
  const expectRefused = async (
    asked: Promise<{ status: number; body: { code: string } }>,
    code: string,
    status = 400,
  ) => {
    const { status: actual, body } = await asked;
    expect([actual, body.code]).toEqual([status, code]);
  };

  it('when the result would be empty or too large', async () => {
    const source = await upload(await halves(990, 990));
    const before = [site.position(), filesKept(site).length];
    await expectRefused(edit(source, { modifiers: [crop(200, 0, 10, 10)] }), 'rest_image_crop_failed');
    await expectRefused(edit(source, { modifiers: [crop(0, 0, 0, 10)] }), 'rest_image_crop_failed');
    await expectRefused(edit(source, { modifiers: [turn(90), turn(45)] }), 'rest_image_rotation_failed');
    expect([site.position(), filesKept(site).length]).toEqual(before);
  });

  it('for files that are not images or of an unsupported format', async () => {
    const bitmap = Buffer.alloc(60);
    bitmap.write('BM');
    for (const [at, value] of [
      [14, 40],
      [18, 2],
      [22, 2],
    ] as const)
      bitmap.writeInt32LE(value, at);
    const { body } = await uploadBody(site, 'author', { name: 'map.bmp', type: 'image/bmp', bytes: bitmap });
    await expectRefused(edit(body, { modifiers: [turn(90)] }), 'rest_cannot_edit_file_type');
    const text = (await uploadBody(site, 'author', { name: 'a.txt', type: 'text/plain', bytes: 'a' })).body;
    await expectRefused(edit(text, { modifiers: [turn(90)] }), 'rest_unknown_attachment', 404);
  });

  it('with malformed modifiers', async () => {
    const source = await upload(await halves(40, 20));
    const details = async (modifiers: unknown) => (await edit(source, { modifiers })).body.data.details.modifiers.code;
    expect(await details([{ args: { angle: 90 } }])).toBe('rest_property_required');
    expect(await details([{ type: 'crop' }])).toBe('rest_property_required');
    expect(await details([{}])).toBe('rest_one_of_multiple_matches');
    expect(await details([turn(90), { type: 'blur', args: {} }])).toBe('rest_no_matching_schema');
    expect((await edit(source, { rotation: 360 })).body.data.details.rotation.code).toBe('rest_out_of_bounds');
  });

  it('with numbers out of range', async () => {
    const source = await upload(await halves(40, 20));
    const path = `POST /media/${source.id}/edit`;
    const sent = (args: string, type = 'crop') =>
      `{"src":${JSON.stringify(source.source_url)},"modifiers":[{"type":"${type}","args":{${args}}}]}`;
    const headers = { 'content-type': 'application/json' };
    await expectRefused(
      site.call('author', path, sent('"left":0,"top":0,"width":1e999,"height":10'), { headers }),
      'rest_invalid_param',
    );
    await expectRefused(site.call('author', path, sent('"angle":-1e999', 'rotate'), { headers }), 'rest_invalid_param');
    expect((await site.call('author', path, sent('"angle":1e308', 'rotate'), { headers })).status).toBe(201);
    expect(
      (await site.call('author', path, sent('"left":-1e308,"top":0,"width":1e308,"height":1'), { headers })).status,
    ).toBe(400);
  });

  it('for users who may not upload, and for images of others', async () => {
    const source = await upload(await halves(40, 20));
    const sent = { modifiers: [turn(90)] };
    await expectRefused(edit(source, sent, 'contributor'), 'rest_cannot_edit_image', 403);
    await expectRefused(edit(source, sent, 'anonymous'), 'rest_cannot_edit_image', 401);
    const own = (await edit(source, sent, 'editor')).body;
    await expectRefused(edit(own, sent), 'rest_cannot_edit', 403);
  });
});

describe('post-processing an upload', () => {
  const finish = (id: number, as: As = 'author') =>
    site.call(as, `POST /media/${id}/post-process`, { action: 'create-image-subsizes' });

  it('creates missing sizes without changing the modification date', async () => {
    const source = await upload(await halves(400, 300), { query: 'generate_sub_sizes=false' });
    expect(source.missing_image_sizes).toEqual(['medium', 'thumbnail']);
    site.clock.now += 60_000;
    const { status, body } = await finish(source.id);
    expect([status, body.missing_image_sizes, body.modified]).toEqual([200, [], source.modified]);
    const { medium } = body.media_details.sizes;
    expect([medium.width, medium.height]).toEqual([300, 225]);
    expect((await fetchFile(site, medium.source_url)).status).toBe(200);
    const position = site.position();
    expect((await finish(source.id)).status).toBe(200);
    expect(site.position()).toBe(position);
  });

  it('is limited to users who may edit the item', async () => {
    const source = await upload(await halves(400, 300));
    expect((await finish(source.id, 'contributor')).body.code).toBe('rest_cannot_edit');
    expect((await finish(987654321)).body.code).toBe('rest_post_invalid_id');
  });
});
