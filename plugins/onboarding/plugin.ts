import { definePlugin } from 'palimpsest/plugin';
import { onboarding } from './area.ts';
import { completeSteps } from './reaction.ts';
import { routes } from './routes.ts';
import { onboardingSettings } from './settings.ts';

/** Leads administrators through the first steps of a site. */
export const plugin = definePlugin({
  name: 'host-easy-onboarding',
  listed: { slug: 'host-onboarding', name: 'Onboarding' },
  settings: onboardingSettings,
  areas: [onboarding],
  namespaces: [{ name: 'host-easy-onboarding/v1', routes }],
  reactions: [completeSteps],
});
