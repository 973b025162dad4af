import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export const WelcomeChoiceMade = defineEvent({
  type: 'WelcomeChoiceMade',
  summary: 'An administrator told how he wants to begin.',
  schema: z.object({ choice: z.string() }),
});

export const AddonsBannerSet = defineEvent({
  type: 'AddonsBannerSet',
  summary: 'The banner that offers add-ons was shown or hidden for a while.',
  schema: z.object({ visible: z.boolean(), until: z.string().describe('UTC, ISO 8601 with milliseconds') }),
});

export const StepCompleted = defineEvent({
  type: 'StepCompleted',
  summary: 'A step of setting the site up is done.',
  schema: z.object({
    category: z.string(),
    step: z.string(),
    cause: z.enum(['user', 'content']).describe('whether somebody said so, or the site shows it'),
  }),
});

export const StepListToggled = defineEvent({
  type: 'StepListToggled',
  summary: 'The list of steps was shown or hidden.',
  schema: z.object({ visible: z.boolean() }),
});

export const onboardingEvents = [WelcomeChoiceMade, AddonsBannerSet, StepCompleted, StepListToggled] as const;
export type OnboardingEvent = EventOf<(typeof onboardingEvents)[number]>;
