import fc from 'fast-check';
import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import type { MediaFields, StoredFile } from '#domain/media/commands.ts';
import { media as mediaRows } from '#projections/media/definition.ts';
import { someUser } from './user-acts.ts';

/** Something a user does with files; `at` picks one of the existing ones. */
export type MediaAct =
  | { readonly do: 'upload'; readonly file: StoredFile; readonly fields: MediaFields }
  | { readonly do: 'change media'; readonly at: number; readonly fields: MediaFields }
  | { readonly do: 'edit media'; readonly at: number; readonly file: StoredFile; readonly angle: number }
  | { readonly do: 'size media'; readonly at: number; readonly hash: string }
  | { readonly do: 'delete media'; readonly at: number };

/** Ids of items that probably exist, of any kind. */
export const someId = fc.nat(12);

const fields: fc.Arbitrary<MediaFields> = fc.record(
  {
    title: fc.constantFrom('', 'One', 'Über', '1987'),
    caption: fc.constantFrom('', 'A <b>caption</b>'),
    description: fc.constantFrom('', 'A\n\nB'),
    altText: fc.constantFrom('', 'a "b"'),
    slug: fc.constantFrom('', 'own', 'own-2', 'feed'),
    date: fc.constantFrom(null, { local: '2019-05-06T07:08:09', gmt: '2019-05-06T05:08:09' }),
    commentStatus: fc.constantFrom('open' as const, 'closed' as const),
    parent: someId,
    featuredMedia: someId,
    author: fc.nat(4),
    status: fc.constantFrom('inherit' as const, 'private' as const),
  },
  { requiredKeys: [] },
);

/** Few bytes and few names, so that they collide. */
const file = fc
  .record({
    name: fc.constantFrom('one', 'ONE', 'two-150x150'),
    content: fc.constantFrom('a', 'b'),
    image: fc.boolean(),
    photo: fc.constantFrom<Pick<StoredFile, 'photo'>>({}, { photo: { camera: 'X100', keywords: ['one', 'two'] } }),
    recording: fc.constantFrom<Pick<StoredFile, 'recording'>>({}, { recording: { length: 5, tags: { title: 'One' } } }),
  })
  .map(({ name, content, image, photo, recording }) => ({
    ...(image ? photo : recording),
    type: image ? 'image/png' : 'text/plain',
    name: `${name}.${image ? 'png' : 'txt'}`,
    title: null,
    hash: content.repeat(64),
    bytes: 5,
    image: image ? { width: 200, height: 100, orientation: 0 } : null,
    shown: null,
    sizes: image
      ? [{ name: 'thumbnail', width: 150, height: 100, hash: content.repeat(63).padEnd(64, '1'), bytes: 3 }]
      : [],
    missing: image ? ['medium'] : [],
  }));

/** Uploads, changes, edits and deletions. */
export const mediaAct: fc.Arbitrary<MediaAct> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('upload' as const), file, fields }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change media' as const), at: fc.nat(9), fields }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit media' as const), at: fc.nat(9), file, angle: fc.nat(359) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('size media' as const),
      at: fc.nat(9),
      hash: fc.constantFrom('c'.repeat(64), 'd'.repeat(64)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete media' as const), at: fc.nat(9) }) },
);

/** Performs an act, as far as possible. */
export function performOnMedia(session: Session, act: MediaAct): unknown {
  if (act.do === 'upload') return media.uploadMedia(session, act.file, usable(session, act.fields));
  const ids = session
    .of(mediaRows)
    .rowsAfter(0, 1000)
    .map((row) => row.id);
  const id = ids[act.at % Math.max(1, ids.length)];
  if (id === undefined) return null;
  switch (act.do) {
    case 'change media':
      return media.changeMedia(session, id, usable(session, act.fields));
    case 'edit media': {
      const steps = [{ type: 'rotate' as const, args: { angle: act.angle } }];
      return media.editMedia(session, id, { file: act.file, fields: {}, steps });
    }
    case 'size media':
      return media.addSizes(session, id, [{ name: 'medium', width: 100, height: 50, hash: act.hash, bytes: 3 }]);
    case 'delete media':
      return media.deleteMedia(session, id);
  }
}

/** Replaces a user who does not exist. */
function usable(session: Session, { author, ...fields }: MediaFields): MediaFields {
  const writer = author === undefined ? undefined : someUser(session, author);
  return writer === undefined ? fields : { ...fields, author: writer };
}

const names = new Set(['upload', 'change media', 'edit media', 'size media', 'delete media']);

export function isMediaAct(act: { readonly do: string }): act is MediaAct {
  return names.has(act.do);
}
