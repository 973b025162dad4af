import { z } from 'zod';
import { limited, optional } from '#domain/kernel/limits.ts';

/** What the header of an image says about it; members that it does not have are absent. Never where it was taken. */
export const photo = z.object(
  optional({
    title: limited.title,
    caption: limited.paragraph,
    credit: limited.title,
    copyright: limited.title,
    camera: limited.title,
    created: limited.word.describe('seconds since 1970'),
    aperture: limited.word,
    focalLength: limited.word.describe('in millimetres'),
    iso: limited.word,
    shutterSpeed: limited.word.describe('in seconds'),
    alternative: limited.paragraph.describe('text for those who do not see it'),
    keywords: limited.list(limited.title),
  }),
);
export type Photo = z.infer<typeof photo>;
