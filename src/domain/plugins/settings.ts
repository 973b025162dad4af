import { z } from 'zod';

const fontFile = z.strictObject({
  family: z.string().regex(/^[\w][\w -]{0,79}$/),
  file: z.string().min(1),
  weight: z
    .string()
    .regex(/^[1-9]\d{0,2}(?: [1-9]\d{0,2})?$/)
    .default('400'),
  style: z.enum(['normal', 'italic']).default('normal'),
});

/** `fonts` are the families offered to editors; those with a file are also sent to visitors. */
const theme = z
  .strictObject({
    slug: z.string().min(1),
    name: z.string(),
    fonts: z.array(z.union([z.string(), fontFile])).default([]),
  })
  .transform(({ fonts, ...about }) => ({
    ...about,
    fonts: [...new Set(fonts.map((font) => (typeof font === 'string' ? font : font.family)))],
    files: fonts.filter((font) => typeof font !== 'string'),
  }));

/** Operator settings of the plugin namespaces; each has a default. */
export const pluginSettings = z.strictObject({
  /** Base address of the network that delivers media while the cloud status is `cdn`. */
  cdn: z
    .url({ protocol: /^https?$/ })
    .transform((address) => new URL(address).href.replace(/(?<!\/)\/+$/, ''))
    .nullable()
    .default(null),
  /** Whether the site answers with and without `www.`; null: decided by its name. */
  wwwRedirect: z.boolean().nullable().default(null),
  versions: z
    .strictObject({
      cms: z.string().default('6.8'),
      cache: z.string().default('7.6'),
      newestCms: z.string().default('6.8'),
      newestRuntime: z.string().default('24'),
    })
    .prefault({}),
  /** The first theme is active until another is chosen. */
  themes: z
    .array(theme)
    .min(1)
    .prefault([
      { slug: 'plain', name: 'Plain', fonts: ['system-ui'] },
      { slug: 'wide', name: 'Wide', fonts: ['system-ui'] },
      { slug: 'book', name: 'Book', fonts: ['Charter'] },
    ]),
});

export type FontFile = z.infer<typeof fontFile>;
export type ThemeSetting = z.infer<typeof theme>;

export interface PluginSettings extends z.infer<typeof pluginSettings> {
  /** Secrets of plugins by their names; null: not set. */
  readonly secrets: Readonly<Record<string, string | null>>;
}
