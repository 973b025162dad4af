import { nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { SiteEvent } from './events.ts';

export const siteSequence: Sequence & { readonly steps: Record<SiteEvent['type'], Step> } = {
  kind: 'site',
  numbered: false,
  steps: {
    SiteConfigured: { from: [nothing, there], to: there },
    SiteAddressChanged: { from: [there] },
    SiteSettingsChanged: { from: [there] },
    SiteEmailChanged: { from: [there] },
  },
};
