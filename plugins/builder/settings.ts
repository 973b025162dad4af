import { z } from 'palimpsest/plugin';

export const builderSettings = z.object({
  /** Whether the library of designs may offer the pages of the site. */
  designDevMode: z.boolean().default(true),
});
