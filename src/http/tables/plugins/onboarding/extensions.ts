import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { aiTheme, pluginsOf, themeOf, themesOf } from '#domain/plugins/extensions/catalogue.ts';
import { activatePlugin, installTheme, switchTheme } from '#domain/plugins/extensions/decide.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data, invalidData } from '../kit/envelopes.ts';
import { sentTextIn } from './fields.ts';

export function activatePluginRoute({ model: session, params }: Call<Session>, deployment: Deployment) {
  const slug = sentTextIn(params, 'plugin');
  if (isRefusal(slug)) return slug;
  return carryOut(session, 'plugin', activatePlugin(slug, pluginsOf(deployment, session.plugin(extensions))));
}

export function activateThemeRoute({ model: session, params }: Call<Session>, { themes }: PluginSettings) {
  const slug = sentTextIn(params, 'theme_slug');
  if (isRefusal(slug)) return slug;
  const state = session.plugin(extensions);
  const facts = { themes: themesOf(themes, state), current: themeOf(themes, state)?.slug };
  return carryOut(session, 'theme_slug', switchTheme(slug, facts));
}

export function installThemeRoute({ model: session }: Call<Session>, { themes }: PluginSettings) {
  return carryOut(session, 'theme_slug', installTheme(aiTheme, themesOf(themes, session.plugin(extensions))));
}

function carryOut(session: Session, field: string, decision: ReturnType<typeof installTheme>): Answer | Refusal {
  if (typeof decision === 'string') return invalidData({ [field]: `It is ${decision}.` });
  return stageIn(session, extensions, decision) ?? data('');
}
