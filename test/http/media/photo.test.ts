import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesWith, typed } from '../../node/erasure/support.ts';
import { ordered } from '../../support/erasure-order.ts';
import { exifOf, exifSegment, iptcSegment, jpegWith } from '../../support/photos.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { uploadBody, uploadForm } from '../../support/uploads.ts';

let site: Site;
let count = 0;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const upload = async (bytes: Buffer, { as = 'editor', query = '', ending = 'jpg' } = {}) => {
  const file = { name: `file-${++count}.${ending}`, type: 'image/x', bytes };
  const { status, body } = await uploadBody(site, as as As, file, { query });
  expect(status).toBe(201);
  return { ...body, stem: `file-${count}`, meta: body.media_details.image_meta };
};
const plain = () => sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } });
/** What an event of an item stores about its header. */
const stored = (id: number) => {
  const [event] = site.node.log.read({ stream: `media-${id}`, limit: 1 });
  return { text: `${event?.data} ${event?.sealed}`, photo: JSON.parse(event?.sealed ?? '{}').photo };
};

const xmpWith = (texts: Readonly<Record<string, string>>) => {
  const items = Object.entries(texts).map(([language, text]) => `<rdf:li xml:lang="${language}">${text}</rdf:li>`);
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
    xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"><Iptc4xmpCore:AltTextAccessibility><rdf:Alt>
    ${items.join('\n')}</rdf:Alt></Iptc4xmpCore:AltTextAccessibility></rdf:Description></rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>`;
};

const IFD0 = { ImageDescription: 'A lamp', Artist: 'Thales', Copyright: 'The museum', Model: 'X100' };
const IFD2 = {
  FNumber: '28/10',
  ISOSpeedRatings: '400',
  ExposureTime: '1/250',
  FocalLength: '50/1',
  DateTimeDigitized: '2026:03:01 12:00:00',
  DateTimeOriginal: '2020:01:01 00:00:00',
};
const IFD3 = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 7/1', GPSMapDatum: 'WGS-84-Secret' };
const none = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
  alt: '',
};
const photographed = {
  ...none,
  aperture: '2.8',
  credit: 'Thales',
  camera: 'X100',
  caption: 'A lamp',
  created_timestamp: String(Date.UTC(2026, 2, 1, 12) / 1000),
  copyright: 'The museum',
  focal_length: '50',
  iso: '400',
  shutter_speed: '0.004',
  title: 'A lamp',
  // Written by the library that makes the files.
  orientation: '1',
};

describe('the header of an uploaded image', () => {
  it('is shown in image_meta and gives title, slug and caption', async () => {
    const body = await upload(await plain().withExif({ IFD0, IFD2 }).jpeg().toBuffer());
    expect(body.meta).toEqual(photographed);
    expect([body.title.raw, body.slug, body.caption.raw]).toEqual(['A lamp', 'a-lamp', 'A lamp']);
    const { body: read } = await site.call('anonymous', `GET /media/${body.id}`);
    expect(read.media_details.image_meta).toEqual(photographed);
  });

  it('gives way to a title and a caption that the request sends, even in a form', async () => {
    const bytes = await plain().withExif({ IFD0 }).jpeg().toBuffer();
    const sent = await upload(bytes, { query: 'title=Mine&caption=Own' });
    expect([sent.title.raw, sent.caption.raw, sent.meta.title]).toEqual(['Mine', 'Own', 'A lamp']);
    const file = { name: 'form.jpg', type: 'image/jpeg', bytes };
    const { body: form } = await uploadForm(site, 'editor', file, { fields: { title: 'Mine' } });
    expect([form.title.raw, form.caption.raw]).toEqual(['Mine', 'A lamp']);
    const { body: unnamed } = await uploadForm(site, 'editor', file, { fields: { title: '', caption: '' } });
    expect([unnamed.title.raw, unnamed.caption.raw]).toEqual(['A lamp', 'A lamp']);
  });

  it('never says where the image was taken', async () => {
    const body = await upload(await plain().withExif({ IFD0, IFD2, IFD3 }).jpeg().toBuffer());
    expect(body.meta).toEqual(photographed);
    const { text, photo } = stored(body.id);
    expect([text, JSON.stringify(body)].filter((said) => /WGS-84|gps|latitude/i.test(said))).toEqual([]);
    expect(Object.keys(photo).sort()).toEqual(
      ['aperture', 'camera', 'caption', 'copyright', 'created', 'credit'].concat([
        ...['focalLength', 'iso', 'shutterSpeed', 'title'],
      ]),
    );
  });

  it('is that of IPTC before that of EXIF', async () => {
    const exif = exifSegment(
      exifOf({
        ifd0: [
          [270, 'ascii', 'Of EXIF\0'],
          [315, 'ascii', 'Of EXIF\0'],
        ],
      }),
    );
    const iptc = iptcSegment([
      [5, 'Object name'],
      [25, 'lamps'],
      [25, Buffer.from('Öl')],
      [55, '20260301'],
      [60, '120000+0100'],
      [80, 'By-line'],
      [105, 'Headline'],
      [116, 'Of IPTC'],
      [120, ' Caption '],
    ]);
    const body = await upload(await jpegWith(exif, iptc));
    expect(body.meta).toEqual({
      ...none,
      title: 'Headline',
      caption: 'Caption',
      credit: 'By-line',
      copyright: 'Of IPTC',
      created_timestamp: String(Date.UTC(2026, 2, 1, 11) / 1000),
      keywords: ['lamps', 'Öl'],
    });
    const one = await upload(
      await jpegWith(
        iptcSegment([
          [5, 'Name'],
          [25, 'one'],
          [110, 'Credit'],
          [80, 'By'],
        ]),
      ),
    );
    expect([one.meta.title, one.meta.keywords, one.meta.credit]).toEqual(['Name', ['one'], 'Credit']);
  });

  it.each([
    ['a short caption is the title, too', { caption: 'Short' }, ['Short', 'Short']],
    ['a long one is not', { caption: 'ü'.repeat(40) }, [null, 'ü'.repeat(40)]],
    ['a long description neither', { description: 'x'.repeat(80) }, [null, 'x'.repeat(80)]],
    ['a comment is the caption if the description is the title', { description: 'D', comment: 'C' }, ['D', 'C']],
    [
      'description and comment are the caption if they are not',
      { headline: 'H', description: 'D', comment: 'C' },
      ['H', 'D C'],
    ],
    ['the same text is not said twice', { headline: 'H', description: 'D', comment: 'D' }, ['H', 'D']],
    ['a comment alone is both', { comment: 'C' }, ['C', 'C']],
    ['but only the caption if it is long', { comment: 'C'.repeat(80) }, [null, 'C'.repeat(80)]],
    ['a number is no title', { headline: '2026', caption: 'C' }, [null, 'C']],
  ] as const)('has a title and a caption: %s', async (_, given, [title, caption]) => {
    const {
      description = '',
      comment = '',
      headline = '',
      caption: legend = '',
    } = {
      ...({} as { description?: string; comment?: string; headline?: string; caption?: string }),
      ...given,
    };
    const exif = exifOf({
      ifd0: description === '' ? [] : [[270, 'ascii', `${description}\0`]],
      exif: comment === '' ? [] : [[37510, 'raw', `ASCII\0\0\0${comment}`]],
    });
    const iptc = iptcSegment([
      [105, headline],
      [120, Buffer.from(legend)],
    ]);
    const body = await upload(await jpegWith(exifSegment(exif), iptc));
    expect([body.title.raw, body.caption.raw]).toEqual([title ?? body.stem, caption]);
  });

  it('may be in Latin-1, UTF-8 or UTF-16, and ends at its first zero', async () => {
    for (const order of ['II', 'MM'] as const) {
      const wide = Buffer.from('Größe 山', 'utf16le');
      const exif = exifOf(
        {
          ifd0: [
            [270, 'ascii', Buffer.from('Caf\xe9\0', 'latin1')],
            [272, 'ascii', Buffer.from('Кам\0')],
            [33432, 'ascii', 'Photographer\0Editor\0'],
          ],
          exif: [[37510, 'raw', Buffer.concat([Buffer.from('UNICODE\0'), order === 'II' ? wide : wide.swap16()])]],
        },
        order,
      );
      const body = await upload(await jpegWith(exifSegment(exif), iptcSegment([[110, 'Jos\xe9']])));
      expect(body.meta).toMatchObject({
        title: 'Café',
        caption: 'Größe 山',
        camera: 'Кам',
        copyright: 'Photographer',
        credit: 'José',
      });
    }
  });

  it.each(['jpeg', 'webp'] as const)('has a text for those who do not see it, as XMP in %s', async (format) => {
    const texts = { de: 'Eine Lampe', 'x-default': 'A &lt;b&gt;lamp&lt;/b&gt; &amp; &#x1F4A1;' };
    const bytes = await plain().withXmp(xmpWith(texts)).toFormat(format).toBuffer();
    const body = await upload(bytes, { ending: format });
    expect([body.meta.alt, body.alt_text]).toEqual(['A <b>lamp</b> &amp; 💡', 'A lamp & 💡']);
    for (const sent of ['', 'Mine']) {
      expect((await upload(bytes, { ending: format, query: `alt_text=${sent}` })).alt_text).toBe(sent);
    }
  });

  it('is read of a TIFF file, whose title it gives', async () => {
    const tiff = exifOf({ ifd0: [[270, 'ascii', 'Drawing\0']] });
    const { body } = await uploadBody(site, 'editor', { name: 'drawing.tif', type: 'image/tiff', bytes: tiff });
    expect([body.title.raw, body.mime_type]).toEqual(['Drawing', 'image/tiff']);
  });

  it('is filtered like other markup of a post, and its title more strictly for some users', async () => {
    const script = '<img src=x onerror=alert(1)> & <b>bold</b>';
    const bytes = await jpegWith(
      iptcSegment([
        [105, script],
        [25, '<script>x</script>'],
        [120, script],
      ]),
    );
    const [editor, author] = [await upload(bytes), await upload(bytes, { as: 'author' })];
    for (const { meta, caption } of [editor, author]) {
      expect([meta.title, caption.raw]).toEqual(Array(2).fill('<img src="x"> &amp; <b>bold</b>'));
      expect(meta.keywords).toEqual(['x']);
    }
    expect(editor.title.raw).toBe('<img src="x"> &amp; <b>bold</b>');
    expect(author.title.raw).toBe('&amp; <b>bold</b>');
  });

  it('is shortened where it is long', async () => {
    const long = '&'.repeat(30_000);
    const words = Array.from({ length: 300 }, (_, i) => [25, `word ${i}`] as const);
    const bytes = await jpegWith(iptcSegment([[105, long], [120, long], ...words]));
    const body = await upload(bytes, { query: 'title=T&caption=C' });
    expect([body.meta.title, body.meta.caption]).toEqual(['&amp;'.repeat(1024), '&amp;'.repeat(8192)]);
    expect(body.meta.keywords).toHaveLength(200);
  });

  it.each([
    ['png', () => plain().withExif({ IFD0 }).png()],
    ['webp', () => plain().withExif({ IFD0 }).webp()],
    ['jpg', () => plain().jpeg()],
  ] as const)('says nothing in other formats or if there is none: %s', async (ending, image) => {
    const body = await upload(await image().toBuffer(), { ending });
    expect([body.title.raw, body.caption.raw]).toEqual([body.stem, '']);
    expect({ ...body.meta, orientation: '0' }).toEqual(none);
    expect(stored(body.id).photo).toBeUndefined();
  });
});

describe('a damaged header', () => {
  it.each([
    [
      'with a text beyond the file',
      exifOf({
        ifd0: [
          [270, 'ascii', 'Short', 0xffffffff],
          [272, 'ascii', 'X100\0'],
        ],
      }),
    ],
    ['with billions of numbers', exifOf({ exif: [[33434, 'doubles', Buffer.alloc(8), 0xffffffff]] })],
    ['with a directory beyond the file', Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1')],
    [
      'with a directory that is its own',
      Buffer.from('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0', 'latin1'),
    ],
    ['with nothing', Buffer.alloc(0)],
    ['with noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251))],
  ])('does not hinder an upload, %s', async (_, exif) => {
    const body = await upload(await jpegWith(exifSegment(exif)));
    expect([body.media_details.width, Object.keys(body.meta)]).toEqual([40, Object.keys(none)]);
    expect(JSON.stringify(body).length).toBeLessThan(60_000);
  });

  it('does not hide what is intact', async () => {
    const exif = exifOf({
      ifd0: [
        [270, 'ascii', 'Gone', 0xffffff00],
        [272, 'ascii', 'X100\0'],
      ],
    });
    exif.writeUInt32LE(0xfffffff0, 8 + 2 + 8);
    const body = await upload(await jpegWith(exifSegment(exif), iptcSegment([[105, 'Headline']])));
    expect([body.meta.camera, body.title.raw]).toEqual(['X100', 'Headline']);
  });
});

describe('what an item keeps of the header of its image', () => {
  it('is shown as of any position, and is not changed by updates', async () => {
    const body = await upload(await plain().withExif({ IFD0, IFD2 }).jpeg().toBuffer());
    const then = site.position();
    await site.call('editor', `PUT /media/${body.id}`, { title: 'Now', caption: 'Now' });
    for (const query of ['', `?as_of=${then}`]) {
      const { media_details: details } = (await site.call('editor', `GET /media/${body.id}${query}`)).body;
      expect(details.image_meta).toEqual(photographed);
    }
  });

  it('is kept by edited copies', async () => {
    const body = await upload(await plain().withExif({ IFD0, IFD2 }).jpeg().toBuffer());
    const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
    const copy = await site.call('editor', `POST /media/${body.id}/edit`, { src: body.source_url, modifiers });
    expect(copy.body.media_details.image_meta).toMatchObject({ camera: 'X100', credit: 'Thales', iso: '400' });
  });

  it('is erased with the item', async () => {
    const secret = 'Callisthenes';
    const body = await upload(
      await plain()
        .withExif({ IFD0: { Artist: secret, Model: secret } })
        .jpeg()
        .toBuffer(),
    );
    expect(body.meta.credit).toBe(secret);
    expect(stored(body.id).photo).toEqual({ credit: secret, camera: secret });
    expect(await typed(site.node, 'erase media', { id: String(body.id), ...ordered })).toMatchObject({ kind: 'done' });
    expect([...site.node.log.read()].filter((event) => JSON.stringify(event).includes(secret))).toEqual([]);
    expect(filesWith(site.directory, secret)).toEqual([]);
  });
});
