import { defineArea } from 'palimpsest/plugin';
import type { StepPlace } from './catalogue.ts';
import { onboardingEvents } from './events.ts';

export interface Onboarding {
  /** False: no choice yet. */
  readonly choice: string | false;
  /** The last setting of the banner; null: never set. */
  readonly banner: { readonly visible: boolean; readonly until: string } | null;
  readonly done: readonly StepPlace[];
  readonly listVisible: boolean;
}

const empty: Onboarding = { choice: false, banner: null, done: [], listVisible: true };

export const onboarding = defineArea({
  name: 'host-onboarding',
  events: onboardingEvents,
  notes: ['StepCompleted'],
  empty,
  evolve(state, event) {
    switch (event.type) {
      case 'WelcomeChoiceMade':
        return { ...state, choice: event.data.choice };
      case 'AddonsBannerSet':
        return { ...state, banner: event.data };
      case 'StepCompleted': {
        const { category, step } = event.data;
        return { ...state, done: [...state.done, { category, step }] };
      }
      case 'StepListToggled':
        return { ...state, listVisible: event.data.visible };
      default:
        return event satisfies never;
    }
  },
});

export function isDone({ done }: Onboarding, { category, step }: StepPlace): boolean {
  return done.some((one) => one.category === category && one.step === step);
}
