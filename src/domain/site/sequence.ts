import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { SiteEvent } from './events.ts';

export const siteSequence: Sequence & { readonly steps: Record<SiteEvent['type'], Step> } = {
  kind: 'site',
  numbered: false,
  steps: {
    SiteConfigured: { from: [initial, existing], to: existing },
    SiteAddressChanged: { from: [existing] },
    SiteSettingsChanged: { from: [existing] },
    SiteEmailChanged: { from: [existing] },
  },
};
