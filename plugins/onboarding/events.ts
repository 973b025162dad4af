import { defineEvent, type EventOf, limited, z } from 'palimpsest/plugin';

export const WelcomeChoiceMade = defineEvent({
  type: 'WelcomeChoiceMade',
  summary: 'An administrator chose how to begin.',
  schema: z.object({ choice: limited.word }),
});

export const AddonsBannerSet = defineEvent({
  type: 'AddonsBannerSet',
  summary: 'The banner that offers add-ons was shown or hidden for a while.',
  schema: z.object({ visible: z.boolean(), until: limited.word.describe('UTC, ISO 8601 with milliseconds') }),
});

export const StepCompleted = defineEvent({
  type: 'StepCompleted',
  summary: 'A setup step was completed.',
  schema: z.object({
    category: limited.word,
    step: limited.word,
    cause: z.enum(['user', 'content']).describe('who completed it: a user, or the content of the site'),
  }),
});

export const StepListToggled = defineEvent({
  type: 'StepListToggled',
  summary: 'The list of steps was shown or hidden.',
  schema: z.object({ visible: z.boolean() }),
});

export const onboardingEvents = [WelcomeChoiceMade, AddonsBannerSet, StepCompleted, StepListToggled] as const;
export type OnboardingEvent = EventOf<(typeof onboardingEvents)[number]>;
