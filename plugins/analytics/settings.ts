import { z } from 'palimpsest/plugin';

const variant = z.strictObject({
  key: z.string().min(1),
  weight: z.number().positive().max(1e6),
  payload: z.json().optional(),
});

export const analyticsSettings = z.object({
  experiments: z
    .array(z.strictObject({ flag: z.string().min(1), variants: z.array(variant).min(1) }))
    .max(100)
    .default([]),
  oncePerDay: z
    .array(z.string())
    .default([
      ...['cms.preview_site', 'cms.onboarding.enter', 'cms.onboarding.completed', 'cms.connect_domain.shown'],
      ...['cms.connect_domain.enter', 'cms.language_changed', 'cms.password_reset', 'cms.addons_banner.shown'],
    ]),
});

export type Experiment = z.output<typeof analyticsSettings>['experiments'][number];
