import { pluginsOf } from '#catalogue/plugins.ts';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { product } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { onboarding } from '#domain/plugins/onboarding/area.ts';
import { chooseWelcome, isBannerOpen, setBanner } from '#domain/plugins/onboarding/decide.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, interfaceUrl } from '#site/addresses/interface.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data, invalidData } from '../kit/envelopes.ts';
import type { PluginParts } from '../kit/namespace.ts';
import { sentTextIn } from './fields.ts';

const week = 7 * 24 * 60 * 60 * 1000;

interface Card {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
}

const cards: Readonly<Record<string, Card>> = {
  shop: {
    id: 'shop',
    title: 'Set up a store',
    description: 'Show and sell what you make.',
    path: `${CONTENT}/${product.base}`,
  },
  'host-assistant': {
    id: 'ai',
    title: 'Begin with the assistant',
    description: 'Let the assistant make a first draft.',
    path: 'host-ai-assistant/v1/website',
  },
};

export function showWelcome({ model }: Call<Model>, { deployment, clock }: PluginParts): Answer {
  const state = model.plugin(onboarding);
  const now = new Date(clock()).toISOString();
  return data({
    welcome_cards: cardsOf(model, deployment),
    welcome_choice_done: state.choice,
    addons_banner: isBannerOpen(state, now) && isWeekOld(model, now),
    list_visible: state.listVisible,
  });
}

export function chooseRoute({ model: session, params }: Call<Session>): Answer | Refusal {
  const choice = sentTextIn(params, 'choice');
  if (isRefusal(choice)) return choice;
  return stageIn(session, onboarding, chooseWelcome(session.plugin(onboarding), choice)) ?? data([]);
}

export function setBannerRoute({ model: session, params }: Call<Session>): Answer | Refusal {
  const { choice } = params;
  if (typeof choice !== 'boolean') return invalidData({ choice: 'choice is required and has to be true or false.' });
  return stageIn(session, onboarding, setBanner(session.plugin(onboarding), choice, session.at)) ?? data([]);
}

function cardsOf(model: Model, deployment: PluginParts['deployment']) {
  const active = pluginsOf(deployment, model.plugin(extensions)).filter((plugin) => plugin.active);
  return active.flatMap(({ slug }) => {
    const card = cards[slug];
    if (card === undefined) return [];
    const { id, title, description, path } = card;
    return { id, image: '', title, link: `${interfaceUrl(model.site())}/${path}`, description };
  });
}

function isWeekOld(model: Model, now: string): boolean {
  const [oldest] = model
    .users()
    .map(({ registered }) => registered)
    .sort();
  return oldest !== undefined && Date.parse(now) - Date.parse(oldest) > week;
}
