import { isDone, type Onboarding } from './area.ts';
import { type StepPlace, stepCategories, store, storeTasks } from './catalogue.ts';
import type { OnboardingEvent } from './events.ts';

const year = 365 * 24 * 60 * 60 * 1000;

export function chooseWelcome({ choice: before }: Onboarding, choice: string): readonly OnboardingEvent[] {
  return before === choice ? [] : [{ type: 'WelcomeChoiceMade', data: { choice } }];
}

/** Shows or hides the banner for a year from `at`; no events if that is already so. */
export function setBanner({ banner }: Onboarding, visible: boolean, at: string): readonly OnboardingEvent[] {
  if (banner?.visible === visible && banner.until > at) return [];
  const until = new Date(Date.parse(at) + year).toISOString();
  return [{ type: 'AddonsBannerSet', data: { visible, until } }];
}

export function isBannerOpen({ banner }: Onboarding, at: string): boolean {
  return banner === null || banner.visible || banner.until <= at;
}

export function toggleList({ listVisible }: Onboarding): readonly OnboardingEvent[] {
  return [{ type: 'StepListToggled', data: { visible: !listVisible } }];
}

/** Completes a step once. The last step of the store also completes the step that represents all of them. */
export function completeStep(
  state: Onboarding,
  place: StepPlace,
  cause: 'user' | 'content',
): readonly OnboardingEvent[] {
  if (isDone(state, place)) return [];
  const completed: OnboardingEvent = { type: 'StepCompleted', data: { ...place, cause } };
  const open = place.category === store && openStoreSteps(state).every((id) => id === place.step);
  if (!open || isDone(state, storeTasks)) return [completed];
  return [completed, { type: 'StepCompleted', data: { ...storeTasks, cause: 'content' } }];
}

export function openStoreSteps(state: Onboarding): readonly string[] {
  const steps = stepCategories.find(({ id }) => id === store)?.steps ?? [];
  return steps.map(({ id }) => id).filter((id) => !isDone(state, { category: store, step: id }));
}
