import fc from 'fast-check';
import { serialize } from 'php-serialize';
import { describe, expect, it } from 'vitest';
import type { ItemRecord } from '../src/records.ts';
import { SourceFault } from '../src/records.ts';
import { cdata, exportOf, item, ofKind, post, postmeta, type ReadExport, readExport } from './exports.ts';

const block = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->\n`;
const comment = `\t\t<wp:comment>\n\t\t\t<wp:comment_id>5</wp:comment_id>\n\t\t\t<wp:comment_content>${cdata('Yes & no')}</wp:comment_content>\n\t\t</wp:comment>\n`;
const meta = postmeta('_wp_attachment_metadata', serialize({ width: 20, height: 10, file: 'a.jpg' }));
const items = [
  post(11, block('Über den Kai — “quoted”')),
  post(
    12,
    `${block('a')}<pre>\n\t<item>\n\t\t<title>sample</title>\n\t</item>\n</pre> ]]> \r\n`,
    postmeta('mood', 'calm'),
  ),
  item(
    { 'wp:post_id': '13', 'wp:post_type': 'attachment', 'wp:attachment_url': 'https://example.com/files/a.jpg' },
    meta,
  ),
  post(14, block('привет'), comment + comment),
  item({ 'wp:post_id': '15', 'content:encoded': '&lt;p&gt;escaped &amp;amp; not in CDATA&lt;/p&gt;\r\n' }),
  post(16, block('last'), `\t\t<category domain="category" nicename="a">${cdata('A &amp; B')}</category>\n`),
];
const author = `\t<wp:author><wp:author_id>4</wp:author_id><wp:author_login>${cdata('mira')}</wp:author_login></wp:author>\n`;
const whole = Buffer.from(exportOf([author, ...items]));
const starts = items.map((text) => whole.indexOf(text));
const ends = items.map((text, index) => (starts[index] ?? 0) + Buffer.byteLength(text));
const head = whole.indexOf('<channel>') + 9;

const nasty = [
  '<',
  '>',
  '&',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '</item>',
  '<item>',
  '\n<item>\n',
  '</channel>',
  '"',
  '\0',
  '\r',
]
  .concat(['</content:encoded>', '</rss>', '<?', '?>', '<br>', '&#0;', '&nbsp;', '\ufffe'])
  .map((text) => Buffer.from(text));
const inserted = fc.oneof(
  fc.constantFrom(...nasty),
  fc.uint8Array({ minLength: 1, maxLength: 6 }).map((raw) => Buffer.from(raw)),
);
/** What is put in the place of some bytes. */
const damage = fc.record({
  at: fc.integer({ min: 0, max: whole.length - 1 }),
  removed: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(0, 1) }, fc.integer({ min: 0, max: 60 })),
  inserted: fc.oneof(inserted, fc.constant(Buffer.alloc(0))),
});

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(text: Buffer, list: readonly Damage[]): Buffer {
  return list
    .toSorted((one, other) => other.at - one.at)
    .reduce((bytes, one) => {
      return Buffer.concat([bytes.subarray(0, one.at), one.inserted, bytes.subarray(one.at + one.removed)]);
    }, text);
}

async function readOrRefuse(bytes: Buffer): Promise<ReadExport | null> {
  try {
    return await readExport(bytes);
  } catch (error) {
    if (error instanceof SourceFault) return null;
    throw error;
  }
}

/** An item without what other elements say of it. */
const alone = ({ author: _, ...rest }: ItemRecord) => rest;

describe('an export with damaged bytes', () => {
  const wanted = readExport(whole).then((read) => ofKind(read, 'item'));

  it('gives every item that the damage does not touch as it was, and none twice', async () => {
    const known = (await wanted).map(alone);
    const one = fc.array(damage, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(one, async (list) => {
        const read = await readOrRefuse(damaged(whole, list));
        if (list.some(({ at }) => at < head)) return;
        expect(read).not.toBeNull();
        if (read === null) return;
        const found = ofKind(read, 'item').map(alone);
        // What touches the end of the line before an item, or the beginning of the next, touches both.
        const isTouched = (index: number) =>
          list.some(({ at, removed }) => at + removed >= (starts[index] ?? 0) && at <= (ends[index] ?? 0));
        for (const [index, expected] of known.entries()) {
          const same = found.filter(({ id }) => id === expected.id);
          if (!isTouched(index)) expect(same).toEqual([expected]);
        }
        const touched = known.filter((_, index) => isTouched(index)).length;
        expect(found.length).toBeLessThanOrEqual(known.length + touched);
      }),
      { numRuns: 1500 },
    );
  });

  it('names what it lost', async () => {
    const known = (await wanted).map(alone);
    await fc.assert(
      fc.asyncProperty(damage, async (one) => {
        const read = await readOrRefuse(damaged(whole, [one]));
        if (read === null) return;
        const given = new Set(ofKind(read, 'item').map(({ id }) => id));
        const isLost = known.some(({ id }) => !given.has(id));
        const isMisread = ofKind(read, 'item').some(({ id }) => !known.some((other) => other.id === id));
        if (isLost && !isMisread) expect(read.notices).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives whole items and one notice where it is cut', async () => {
    const known = await wanted;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: head, max: whole.length - 2 }), async (cut) => {
        const read = await readExport(whole.subarray(0, cut));
        expect(ofKind(read, 'item')).toEqual(known.slice(0, ends.filter((end) => end - 1 <= cut).length));
        expect(read.notices.filter(({ code }) => code !== 'invalid_utf8').map(({ code }) => code)).toEqual(
          cut < whole.indexOf('</rss>') + 6 ? ['truncated'] : [],
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of random bytes is refused', async () => {
    const text = fc.array(
      fc.oneof(inserted, fc.constantFrom(...['<rss>', '<channel>', '<wp:x>'].map((one) => Buffer.from(one)))),
    );
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        await readOrRefuse(Buffer.concat(parts));
      }),
      { numRuns: 300 },
    );
  });
});
