import { type PluginRoute, z } from 'palimpsest/plugin';
import * as answers from './answers.ts';
import { activatePluginRoute, installThemeRoute, switchThemeRoute } from './extensions.ts';
import { unchecked } from './fields.ts';
import { completeStepRoute, findsDomain, noteDomain, showSteps, toggleListRoute } from './steps.ts';
import { showTutorials } from './tutorials.ts';
import { chooseRoute, setBannerRoute, showWelcome } from './welcome.ts';

const access = 'admin';

export const routes: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'get-welcome-status',
    access,
    summary: 'Show the ways to begin the site',
    answers: answers.welcome,
    query: showWelcome,
  },
  {
    method: 'POST',
    path: 'update-welcome-status',
    access,
    summary: 'Choose a way to begin',
    args: { choice: unchecked(z.string().min(1)) },
    answers: answers.nothingAnswer,
    command: chooseRoute,
  },
  {
    method: 'POST',
    path: 'update-addons-banner-status',
    access,
    summary: 'Show or hide the banner',
    args: { choice: unchecked(z.boolean()) },
    answers: answers.nothingAnswer,
    command: setBannerRoute,
  },
  {
    method: 'GET',
    path: 'get-steps',
    access,
    summary: 'Show the steps',
    answers: answers.steps,
    due: findsDomain,
    begin: noteDomain,
    query: showSteps,
  },
  {
    method: 'POST',
    path: 'complete-step',
    access,
    summary: 'Complete a step',
    args: { step_category_id: unchecked(z.string()), step_id: unchecked(z.string()) },
    answers: answers.onboardingSaved,
    command: completeStepRoute,
  },
  {
    method: 'POST',
    path: 'toggle-list-visibility',
    access,
    summary: 'Show or hide the list of steps',
    answers: answers.onboardingToggled,
    command: toggleListRoute,
  },
  {
    method: 'POST',
    path: 'activate-plugin',
    access,
    summary: 'Switch a plugin on',
    args: { plugin: unchecked(z.string().describe('Slug of an installed plugin.')) },
    answers: answers.blank,
    command: activatePluginRoute,
  },
  {
    method: 'POST',
    path: 'activate-theme',
    access,
    summary: 'Switch to another theme',
    args: { theme_slug: unchecked(z.string().describe('Slug of a theme that is there.')) },
    answers: answers.blank,
    command: switchThemeRoute,
  },
  {
    method: 'POST',
    path: 'install-ai-theme',
    access,
    summary: 'Add the theme made by the assistant',
    answers: answers.blank,
    command: installThemeRoute,
  },
  {
    method: 'GET',
    path: 'get-tutorials',
    access,
    summary: 'List the tutorials',
    args: { locale: unchecked(z.string().describe('Of which the first two letters count.')) },
    answers: answers.tutorials,
    query: showTutorials,
  },
];
