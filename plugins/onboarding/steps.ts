import { isRefusal, type PluginCall, type PluginReader, type PluginSession } from 'palimpsest/plugin';
import { onboarding, isDone as wasDone } from './area.ts';
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
} from './catalogue.ts';
import { completeStep, toggleList } from './decide.ts';
import { isShopOn } from './extensions.ts';
import { sentTextsIn, wrongData } from './fields.ts';
import { onboardingSettings } from './settings.ts';
import { addressOfStep, hasDomain, isShownDone } from './shown-done.ts';

export function showSteps(call: PluginCall<PluginReader>) {
  const { model } = call;
  const isDone = doneIn(call);
  const categories = categoriesFor(isShopOn(call));
  return {
    data: {
      steps: categories.map(({ id, title, steps }) => ({
        title,
        id,
        steps: steps.map((step) => shown(step, id, { model, isDone })),
      })),
    },
  };
}

/** Whether to record now that the site has a domain of its own, which is only checked on request. */
export function findsDomain({ model, settings }: PluginCall<PluginReader>): boolean {
  const { previewSuffix } = settings(onboardingSettings);
  return hasDomain(model.site().url, previewSuffix) && !wasDone(model.document(onboarding), connectDomain);
}

export function noteDomain({ model }: PluginCall<PluginSession>): void {
  model.stage(onboarding, completeStep(model.document(onboarding), connectDomain, 'content'));
}

export function completeStepRoute(call: PluginCall<PluginSession>) {
  const { model, params } = call;
  const sent = sentTextsIn(params, ['step_category_id', 'step_id']);
  if (isRefusal(sent)) return sent;
  const place = { category: sent.step_category_id, step: sent.step_id };
  if (!isCategory(place.category)) return wrongData({ step_category_id: 'There is no such category.' });
  if (!isStep(place, isShopOn(call))) return wrongData({ step_id: 'There is no such step.' });
  const events = completeStep(model.document(onboarding), place, 'user');
  model.stage(onboarding, events);
  return { data: { saved: events.length > 0 } };
}

export function toggleListRoute({ model }: PluginCall<PluginSession>) {
  model.stage(onboarding, toggleList(model.document(onboarding)));
  return { status: true, new_state: model.document(onboarding).listVisible };
}

type IsDone = (place: StepPlace) => boolean;

function doneIn({ model, settings }: PluginCall<PluginReader>): IsDone {
  const { previewSuffix } = settings(onboardingSettings);
  const state = model.document(onboarding);
  const isDone: IsDone = (place) => wasDone(state, place) || isShownDone(place.step, model, previewSuffix);
  const isStoreDone = () =>
    stepCategories.every(
      ({ id, steps }) => id !== store || steps.every(({ id: step }) => isDone({ category: id, step })),
    );
  return (place) => isDone(place) || (place.step === storeTasks.step && isStoreDone());
}

interface Around {
  readonly model: PluginReader;
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
