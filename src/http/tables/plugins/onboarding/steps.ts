import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { extensions, hasShop } from '#domain/plugins/extensions/area.ts';
import { onboarding, isDone as wasDone } from '#domain/plugins/onboarding/area.ts';
import { completeStep, toggleList } from '#domain/plugins/onboarding/decide.ts';
import {
  categoriesFor,
  connectDomain,
  isCategory,
  isStep,
  type StepPlace,
  type StepText,
  stepCategories,
  store,
  storeTasks,
} from '#domain/plugins/onboarding/steps.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data, fresh, invalidData } from '../kit/envelopes.ts';
import { sentTextsIn } from './fields.ts';
import { addressOfStep, hasDomain, isShownDone } from './shown-done.ts';

export function showSteps(model: Model, settings: PluginSettings): Answer {
  const isDone = doneIn(model, settings);
  const categories = categoriesFor(hasShop(model.plugin(extensions)));
  return data({
    steps: categories.map(({ id, title, steps }) => ({
      title,
      id,
      steps: steps.map((step) => shown(step, id, { model, isDone })),
    })),
  });
}

/** Whether to record now that the site has a domain of its own, which is only checked on request. */
export function findsDomain(model: Model, { previewSuffix }: PluginSettings): boolean {
  return hasDomain(model.site().url, previewSuffix) && !wasDone(model.plugin(onboarding), connectDomain);
}

export function noteDomain(session: Session): void {
  stageIn(session, onboarding, completeStep(session.plugin(onboarding), connectDomain, 'content'));
}

export function completeStepRoute({ model: session, params }: Call<Session>): Answer | Refusal {
  const sent = sentTextsIn(params, ['step_category_id', 'step_id']);
  if (isRefusal(sent)) return sent;
  const place = { category: sent.step_category_id, step: sent.step_id };
  if (!isCategory(place.category)) return invalidData({ step_category_id: 'There is no such category.' });
  if (!isStep(place, hasShop(session.plugin(extensions)))) return invalidData({ step_id: 'There is no such step.' });
  const events = completeStep(session.plugin(onboarding), place, 'user');
  return stageIn(session, onboarding, events) ?? data({ saved: events.length > 0 });
}

export function toggleListRoute({ model: session }: Call<Session>): Answer | Refusal {
  stageIn(session, onboarding, toggleList(session.plugin(onboarding)));
  return fresh({ status: true, new_state: session.plugin(onboarding).listVisible });
}

type IsDone = (place: StepPlace) => boolean;

function doneIn(model: Model, { previewSuffix }: PluginSettings): IsDone {
  const state = model.plugin(onboarding);
  const isDone: IsDone = (place) => wasDone(state, place) || isShownDone(place.step, model, previewSuffix);
  const isStoreDone = () =>
    stepCategories.every(
      ({ id, steps }) => id !== store || steps.every(({ id: step }) => isDone({ category: id, step })),
    );
  return (place) => isDone(place) || (place.step === storeTasks.step && isStoreDone());
}

interface Around {
  readonly model: Model;
  readonly isDone: IsDone;
}

function shown({ id, title, description, button }: StepText, category: string, { model, isDone }: Around) {
  const done = isDone({ category, step: id });
  const isSearch = id === 'search_visibility';
  const first = { ...blank, title: button, url: addressOfStep(id, model), modal_name: id };
  const second = { ...blank, title: 'Skip', is_skippable: true };
  return {
    id,
    is_completed: done,
    title,
    description,
    image_url: '',
    primary_button: done ? blank : first,
    secondary_button: done || !isSearch ? blank : second,
    error_message: isSearch && !isDone(connectDomain) ? 'Connect a domain first.' : '',
  };
}

const blank = {
  title: '',
  is_skippable: false,
  is_theme_needed: false,
  url: '',
  modal_name: '',
  is_completable: true,
};
