import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { MediaFacts, MediaFields, StoredFile } from '#domain/media/commands.ts';
import { addSizes, changeMedia, deleteMedia, editMedia, uploadMedia } from '#domain/media/decide.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { evolveMedia, type Media } from '#domain/media/state.ts';
import { later, now } from './support.ts';

const file: StoredFile = {
  type: 'image/png',
  name: 'Photo.png',
  title: null,
  hash: 'a'.repeat(64),
  bytes: 5,
  image: { width: 2, height: 1, orientation: 0 },
  shown: null,
  sizes: [],
  missing: [],
};

/** Facts of a site with users below 10, entries below 100 and images from there on. */
function facts(more: Partial<MediaFacts> = {}): MediaFacts {
  return {
    now,
    nextId: 100,
    commentStatus: 'open',
    actor: 1,
    slugEndings: () => [],
    slugTaken: () => false,
    addressTaken: () => false,
    userExists: (id) => id < 10,
    isImage: (id) => id >= 100,
    dateOf: (id) => (id < 100 ? '2019-04-05T06:07:08' : null),
    ...more,
  };
}

function events(decision: readonly MediaEvent[] | Refusal): readonly MediaEvent[] {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.code}`);
  return decision;
}

const fold = (all: readonly MediaEvent[], before: Media | null = null) => all.reduce<Media | null>(evolveMedia, before);
const uploaded = (fields: MediaFields = {}, more: Partial<MediaFacts> = {}, given: Partial<StoredFile> = {}) =>
  fold(events(uploadMedia({ ...file, ...given }, fields, facts(more)))) as Media;
/** An item after the entry 12 is deleted. */
const passed = (item: Media, to: { heir: number; inherited?: 'private' }) =>
  evolveMedia(item, { type: 'EntryDeleted', data: { id: 12, kind: 'page', ...to } });
const saved = (fields: MediaFields, before = uploaded()) =>
  events(changeMedia(before, fields, facts({ now: later, nextId: 101 })));

describe('uploading', () => {
  it('creates an item by one event', () => {
    const [only, ...others] = events(uploadMedia(file, { title: 'Given' }, facts()));
    expect([only?.type, others]).toEqual(['MediaUploaded', []]);
    expect(uploaded()).toMatchObject({
      id: 100,
      author: 1,
      title: 'Photo',
      slug: 'photo',
      folder: '2026/03',
      name: 'Photo.png',
      date: now.local,
      dateGmt: now.gmt,
      modified: now.local,
      commentStatus: 'open',
      pingStatus: 'closed',
    });
  });

  it('takes the title from the request, the file’s metadata or its final name', () => {
    const taken = { addressTaken: (address: string) => address === '2026/03/Photo.png' };
    expect(uploaded({ title: ' Given ' }, taken).title).toBe('Given');
    expect(uploaded({ title: '' }, taken, { title: 'My photo' })).toMatchObject({
      title: 'My photo',
      name: 'Photo-1.png',
    });
    expect(uploaded({}, taken)).toMatchObject({ title: 'Photo-1', slug: 'photo-1' });
  });

  it('stores the file in the folder of the entry it is attached to', () => {
    expect(uploaded({ parent: 12 }).folder).toBe('2019/04');
    expect(uploaded({ parent: 120 }).folder).toBe('2026/03');
    expect(uploaded({ parent: -3 })).toMatchObject({ parent: 0, folder: '2026/03' });
  });

  it('uses a given date for creation and modification, but not for the folder', () => {
    const date = { local: '2036-01-02T03:04:05', gmt: '2036-01-02T02:04:05' };
    expect(uploaded({ date })).toMatchObject({
      date: date.local,
      modified: date.local,
      modifiedGmt: date.gmt,
      folder: '2026/03',
    });
  });

  it.each<[MediaFields, string]>([
    [{ author: 99 }, 'rest_invalid_author'],
    [{ featuredMedia: 5 }, 'rest_invalid_featured_media'],
  ])('is refused for %j', (fields, code) => {
    expect(uploadMedia(file, fields, facts())).toMatchObject({ refused: true, code });
  });
});

describe('saving', () => {
  it('updates only the modification date when nothing changes', () => {
    expect(saved({})).toEqual([{ type: 'MediaChanged', data: { modified: later.local, modifiedGmt: later.gmt } }]);
    expect(saved({ title: 'Photo', slug: 'photo', parent: 0 })).toHaveLength(1);
  });

  it('records all texts together, and only the settings that change', () => {
    const all = saved({ caption: 'C', author: 2, commentStatus: 'open' });
    expect(all.map(({ type }) => type)).toEqual(['MediaDescribed', 'MediaChanged']);
    expect(all[1]?.data).toEqual({ author: 2, modified: later.local, modifiedGmt: later.gmt });
    expect(fold(all, uploaded())).toMatchObject({ title: 'Photo', caption: 'C', author: 2 });
  });

  it('never touches the file', () => {
    const { type, name, folder, hash, image } = uploaded();
    expect(fold(saved({ title: 'Other', slug: 'other', parent: 5 }), uploaded())).toMatchObject({
      type,
      name,
      folder,
      hash,
      image,
    });
  });

  it('sets the date, and sets it to now when it is null', () => {
    const date = { local: '2019-01-02T03:04:05', gmt: '2019-01-02T02:04:05' };
    expect(fold(saved({ date }), uploaded())).toMatchObject({ date: date.local, modified: later.local });
    expect(fold(saved({ date: null }), uploaded({ date }))).toMatchObject({ date: later.local });
    expect(fold(saved({}, uploaded({ date })), uploaded({ date }))).toMatchObject({ date: date.local });
  });

  it('makes the slug unique, and derives an empty one from the title or the id', () => {
    const slugTaken = (slug: string) => ['own', 'own-2'].includes(slug);
    expect(uploaded({ slug: 'Own!' }, { slugTaken }).slug).toBe('own-3');
    expect(uploaded({ title: '!!!' }).slug).toBe('100');
    expect(uploaded({ slug: 'rss' }).slug).toBe('rss-2');
    expect(fold(saved({ slug: '', title: 'New title' }), uploaded())?.slug).toBe('new-title');
    expect(fold(saved({ title: 'New title' }), uploaded())?.slug).toBe('photo');
  });
});

describe('deleting', () => {
  it('an entry attaches its files to the entry’s parent', () => {
    const left = passed(uploaded({ parent: 12 }), { heir: 7 });
    expect(left).toMatchObject({ parent: 7 });
    expect(left).not.toHaveProperty('inherited');
  });

  it('a private entry keeps its files private until they are attached to something else', () => {
    const kept = passed(uploaded({ parent: 12 }), { heir: 7, inherited: 'private' }) as Media;
    expect(kept).toMatchObject({ parent: 7, inherited: 'private' });
    expect(fold(saved({ title: 'Other' }, kept), kept)).toMatchObject({ inherited: 'private' });
    expect(passed({ ...kept, parent: 12 }, { heir: 0 })).toMatchObject({ parent: 0, inherited: 'private' });
    expect(fold(saved({ parent: 9 }, kept), kept)).not.toHaveProperty('inherited');
  });

  it('an item removes it, also as the featured image of others', () => {
    const deleted = deleteMedia(uploaded());
    expect(fold(deleted, uploaded())).toBeNull();
    expect(fold(deleted, { ...uploaded(), id: 7, featuredMedia: 100 })).toMatchObject({ id: 7, featuredMedia: 0 });
  });
});

describe('hiding', () => {
  it('sets the status `private`, which the next other status reverts', () => {
    const hidden = fold(saved({ status: 'private' }), uploaded()) as Media;
    expect(hidden).toMatchObject({ status: 'private', modified: later.local });
    expect(saved({ status: 'private', title: 'Other' }, hidden).map(({ type }) => type)).toEqual(['MediaDescribed']);
    expect(saved({ status: 'inherit' }, hidden).map(({ type }) => type)).toEqual(['MediaReleased']);
    expect(fold(saved({ status: 'inherit' }, hidden), hidden)).not.toHaveProperty('status');
    expect(uploaded({ status: 'private' })).toMatchObject({ status: 'private', modified: now.local });
  });

  it('stays the item’s own status when the entry it is attached to is deleted', () => {
    const hidden = fold(saved({ status: 'private', parent: 12 }), uploaded()) as Media;
    const left = passed({ ...hidden, parent: 12 }, { heir: 0 });
    expect(left).toMatchObject({ status: 'private' });
    expect(left).not.toHaveProperty('inherited');
  });
});

describe('editing', () => {
  const steps = [{ type: 'rotate' as const, args: { angle: 90 } }];
  const edited = (source: Media, fields: MediaFields = {}) =>
    fold(
      events(editMedia(source, { file: { ...file, name: 'Photo-edited.png' }, fields, steps }, facts({ nextId: 101 }))),
    );

  it('creates an item that names its source, and inherits texts that are not given', () => {
    const source = uploaded({ caption: 'C', altText: 'A', parent: 12, slug: 'own' });
    expect(edited(source)).toMatchObject({
      ...{ id: 101, source: 100, sourceFile: '2019/04/Photo.png', caption: 'C', altText: 'A' },
      ...{ parent: 0, folder: '2026/03', name: 'Photo-edited.png', slug: 'photo' },
    });
    expect(edited(source, { caption: '', parent: 7 })).toMatchObject({ caption: '', altText: 'A', parent: 7 });
  });

  it('keeps a private item private', () => {
    expect(edited(uploaded({ status: 'private' }))).toMatchObject({ status: 'private' });
    expect(edited(uploaded())).not.toHaveProperty('status');
  });
});

describe('making sizes', () => {
  const size = { name: 'medium', width: 300, height: 200, hash: 'b'.repeat(64), bytes: 3 };
  const lacking = uploaded({}, {}, { missing: ['medium', 'large'] });

  it('adds the missing ones, once', () => {
    const made = addSizes(lacking, [size], facts());
    expect(made).toEqual([{ type: 'MediaSizesMade', data: { sizes: [size], missing: ['large'] } }]);
    const after = fold(made, lacking) as Media;
    expect(after.sizes).toEqual([size]);
    expect(addSizes(after, [size], facts())).toEqual([]);
  });

  it('never uses an address that is taken', () => {
    const addressTaken = (address: string) => address === '2026/03/Photo-300x200.png';
    expect(addSizes(lacking, [size], { addressTaken })).toEqual([]);
  });
});

describe('any save', () => {
  it('sets the fields as requested, and changes only the modification date when repeated', () => {
    const fields = fc.record(
      {
        title: fc.constantFrom('', 'T', ' T '),
        caption: fc.string(),
        description: fc.string(),
        altText: fc.string(),
        slug: fc.constantFrom('', 'a', 'feed'),
        date: fc.constantFrom(null, later),
        author: fc.nat(9),
        parent: fc.nat(200),
        featuredMedia: fc.constantFrom(0, 120),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, fields, (first, second) => {
        const before = uploaded(first);
        const after = fold(saved(second, before), before) as Media;
        for (const name of ['caption', 'description', 'altText', 'parent', 'featuredMedia'] as const) {
          expect(after[name]).toBe(second[name] ?? before[name]);
        }
        expect(saved(second, after)).toEqual([
          { type: 'MediaChanged', data: { modified: later.local, modifiedGmt: later.gmt } },
        ]);
      }),
    );
  });
});
