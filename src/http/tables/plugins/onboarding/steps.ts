import { isIP } from 'node:net';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { extensions, hasShop } from '#domain/plugins/extensions/area.ts';
import { isDone, type Onboarding, onboarding } from '#domain/plugins/onboarding/area.ts';
import { completeStep, toggleList } from '#domain/plugins/onboarding/decide.ts';
import { categoriesFor, connectDomain, isCategory, isStep, type StepText } from '#domain/plugins/onboarding/steps.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data, fresh, invalidData } from '../kit/envelopes.ts';
import { textsIn } from './fields.ts';

/** Shows what is to be done. */
export function showSteps(model: Model): Answer {
  const state = model.plugin(onboarding);
  const categories = categoriesFor(hasShop(model.plugin(extensions)));
  return data({
    steps: categories.map(({ id, title, steps }) => ({
      title,
      id,
      steps: steps.map((step) => shown(step, id, { state, url: model.site().url })),
    })),
  });
}

/** That the site has a domain of its own is noticed when somebody looks: whether that is to be noted now. */
export function findsDomain(model: Model, { previewSuffix }: PluginSettings): boolean {
  return hasDomain(model.site().url, previewSuffix) && !isDone(model.plugin(onboarding), connectDomain);
}

export function noteDomain(session: Session): void {
  stageIn(session, onboarding, completeStep(session.plugin(onboarding), connectDomain, 'content'));
}

export function completeStepRoute({ model: session, params }: Call<Session>): Answer | Refusal {
  const sent = textsIn(params, ['step_category_id', 'step_id']);
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

interface Around {
  readonly state: Onboarding;
  readonly url: string;
}

function shown({ id, title, description, button }: StepText, category: string, { state, url }: Around) {
  const done = isDone(state, { category, step: id });
  const isSearch = id === 'search_visibility';
  const first = { ...blank, title: button, url: `${url}/`, modal_name: id };
  const second = { ...blank, title: 'Skip', is_skippable: true };
  return {
    id,
    is_completed: done,
    title,
    description,
    image_url: '',
    primary_button: done ? blank : first,
    secondary_button: done || !isSearch ? blank : second,
    error_message: isSearch && !isDone(state, connectDomain) ? 'Connect a domain first.' : '',
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

/** Whether an address is neither local, nor a number, nor one of those that sites have for a start. */
function hasDomain(url: string, previewSuffix: string): boolean {
  const { hostname } = new URL(url);
  if (!hostname.includes('.') || isIP(hostname) !== 0 || hostname.startsWith('[')) return false;
  if (/\.(?:localhost|local)$/.test(hostname)) return false;
  return previewSuffix === '' || !hostname.endsWith(previewSuffix);
}
