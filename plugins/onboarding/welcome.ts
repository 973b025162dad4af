import { isRefusal, type PluginCall, type PluginReader, type PluginSession } from 'palimpsest/plugin';
import { onboarding } from './area.ts';
import { chooseWelcome, isBannerOpen, setBanner } from './decide.ts';
import { sentTextIn, wrongData } from './fields.ts';

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
    path: 'cms/v2/products',
  },
  'host-assistant': {
    id: 'ai',
    title: 'Begin with the assistant',
    description: 'Let the assistant make a first draft.',
    path: 'host-ai-assistant/v1/website',
  },
};

export function showWelcome(call: PluginCall<PluginReader>) {
  const { model } = call;
  const state = model.document(onboarding);
  const now = new Date(call.now).toISOString();
  return {
    data: {
      welcome_cards: cardsOf(call),
      welcome_choice_done: state.choice,
      addons_banner: isBannerOpen(state, now) && isWeekOld(model, now),
      list_visible: state.listVisible,
    },
  };
}

export function chooseRoute({ model, params }: PluginCall<PluginSession>) {
  const choice = sentTextIn(params, 'choice');
  if (isRefusal(choice)) return choice;
  model.stage(onboarding, chooseWelcome(model.document(onboarding), choice));
  return { data: [] };
}

export function setBannerRoute({ model, params }: PluginCall<PluginSession>) {
  const { choice } = params;
  if (typeof choice !== 'boolean') return wrongData({ choice: 'choice is required and has to be true or false.' });
  model.stage(onboarding, setBanner(model.document(onboarding), choice, model.at));
  return { data: [] };
}

function cardsOf({ model, plugins }: PluginCall<PluginReader>) {
  return plugins().flatMap(({ slug, active }) => {
    const card = cards[slug];
    if (card === undefined || !active) return [];
    const { id, title, description, path } = card;
    return { id, image: '', title, link: `${model.interfaceUrl()}/${path}`, description };
  });
}

function isWeekOld(model: PluginReader, now: string): boolean {
  const [oldest] = model
    .users()
    .map(({ registered }) => registered)
    .sort();
  return oldest !== undefined && Date.parse(now) - Date.parse(oldest) > week;
}
