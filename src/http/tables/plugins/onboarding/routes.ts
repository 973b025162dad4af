import { z } from 'zod';
import { pluginsOf } from '#catalogue/plugins.ts';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { aiTheme, themeOf, themesOf } from '#domain/plugins/extensions/catalogue.ts';
import { activatePlugin, installTheme, switchTheme } from '#domain/plugins/extensions/decide.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { told } from '../kit/checks.ts';
import { data, invalidData } from '../kit/envelopes.ts';
import type { Namespace, PluginParts } from '../kit/namespace.ts';
import { type NamespaceRow, tableOf } from '../kit/table.ts';
import * as answers from './answers.ts';
import { sentTextIn } from './fields.ts';
import { completeStepRoute, findsDomain, noteDomain, showSteps, toggleListRoute } from './steps.ts';
import { showTutorials } from './tutorials.ts';
import { chooseRoute, setBannerRoute, showWelcome } from './welcome.ts';

const name = 'host-easy-onboarding/v1';
const access = 'admin';

export const hostOnboarding: Namespace = {
  name,
  routes: (parts) =>
    tableOf(name, [...welcomeRows(parts), ...stepRows(parts), ...extensionRows(parts), ...tutorialRows(parts)]),
};

function welcomeRows(parts: PluginParts): readonly NamespaceRow[] {
  return [
    {
      ...{ method: 'GET', path: 'get-welcome-status', access, summary: 'Show the ways to begin the site' },
      answers: answers.welcome,
      query: (call) => showWelcome(call, parts),
    },
    {
      ...{ method: 'POST', path: 'update-welcome-status', access, summary: 'Choose a way to begin' },
      args: { choice: told(z.string().min(1)) },
      answers: answers.nothingAnswer,
      command: chooseRoute,
    },
    {
      ...{ method: 'POST', path: 'update-addons-banner-status', access, summary: 'Show or hide the banner' },
      args: { choice: told(z.boolean()) },
      answers: answers.nothingAnswer,
      command: setBannerRoute,
    },
  ];
}

function stepRows({ settings }: PluginParts): readonly NamespaceRow[] {
  return [
    {
      ...{ method: 'GET', path: 'get-steps', access, summary: 'Show the steps' },
      answers: answers.steps,
      due: (model) => findsDomain(model, settings),
      begin: noteDomain,
      show: (model) => showSteps(model, settings),
    },
    {
      ...{ method: 'POST', path: 'complete-step', access, summary: 'Complete a step' },
      args: { step_category_id: told(z.string()), step_id: told(z.string()) },
      answers: answers.onboardingSaved,
      command: completeStepRoute,
    },
    {
      ...{ method: 'POST', path: 'toggle-list-visibility', access, summary: 'Show or hide the list of steps' },
      answers: answers.onboardingToggled,
      command: toggleListRoute,
    },
  ];
}

function extensionRows({ deployment, settings }: PluginParts): readonly NamespaceRow[] {
  return [
    {
      ...{ method: 'POST', path: 'activate-plugin', access, summary: 'Switch a plugin on' },
      args: { plugin: told(z.string().describe('Slug of an installed plugin.')) },
      answers: answers.blank,
      command: (call) => activatePluginRoute(call, deployment),
    },
    {
      ...{ method: 'POST', path: 'activate-theme', access, summary: 'Switch to another theme' },
      args: { theme_slug: told(z.string().describe('Slug of a theme that is there.')) },
      answers: answers.blank,
      command: (call) => activateThemeRoute(call, settings),
    },
    {
      ...{ method: 'POST', path: 'install-ai-theme', access, summary: 'Add the theme made by the assistant' },
      answers: answers.blank,
      command: (call) => installThemeRoute(call, settings),
    },
  ];
}

function tutorialRows({ settings }: PluginParts): readonly NamespaceRow[] {
  return [
    {
      ...{ method: 'GET', path: 'get-tutorials', access, summary: 'List the tutorials' },
      args: { locale: told(z.string().describe('Of which the first two letters count.')) },
      answers: answers.tutorials,
      query: (call) => showTutorials(call, settings),
    },
  ];
}

function activatePluginRoute({ model: session, params }: Call<Session>, deployment: Deployment) {
  const slug = sentTextIn(params, 'plugin');
  if (isRefusal(slug)) return slug;
  return carryOut(session, 'plugin', activatePlugin(slug, pluginsOf(deployment, session.plugin(extensions))));
}

function activateThemeRoute({ model: session, params }: Call<Session>, { themes }: PluginSettings) {
  const slug = sentTextIn(params, 'theme_slug');
  if (isRefusal(slug)) return slug;
  const state = session.plugin(extensions);
  const facts = { themes: themesOf(themes, state), current: themeOf(themes, state)?.slug };
  return carryOut(session, 'theme_slug', switchTheme(slug, facts));
}

function installThemeRoute({ model: session }: Call<Session>, { themes }: PluginSettings) {
  return carryOut(session, 'theme_slug', installTheme(aiTheme, themesOf(themes, session.plugin(extensions))));
}

function carryOut(session: Session, field: string, decision: ReturnType<typeof installTheme>): Answer | Refusal {
  if (typeof decision === 'string') return invalidData({ [field]: `It is ${decision}.` });
  return stageIn(session, extensions, decision) ?? data('');
}
