import { z } from 'palimpsest/plugin';

const tutorial = z.strictObject({ id: z.string(), title: z.string(), duration: z.string().regex(/^\d+:[0-5]\d$/) });

export const onboardingSettings = z.object({
  previewSuffix: z.string().default(''),
  /** By language (two letters); shown while no post is tagged as a tutorial. */
  tutorials: z.record(z.string().regex(/^[a-z]{2}$/), z.array(tutorial)).default({}),
});
