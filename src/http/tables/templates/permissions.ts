import type { Session } from '#commands/session.ts';
import type { Theme } from '#domain/extensions/area.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TemplatePlace, TemplateType } from '#domain/templates/area.ts';
import type { WantedTemplate } from '#domain/templates/decide.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { maySeeEditors } from '#site/rights.ts';
import { isSlow, type PreparedTexts } from '#text/prepared-texts.ts';
import { oncePerRequest } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { markupJob, text } from '../entries/body.ts';
import { activeTheme, allThemes, type Themes } from '../themes/theme.ts';
import { templateFields } from './fields.ts';
import { rowAt, type TemplateRow } from './find.ts';

/** What all routes of templates share: their subject and their permissions. */

export interface Of {
  readonly type: TemplateType;
  readonly themes: Themes;
}

/**
 * `theme//slug`, also with a single slash. The theme may be in a folder. Contains no group: clients that parse the patterns of the
 * index would take its end for that of the parameter.
 */
export const templateId = `[^:<>\\*\\?"\\|]+\\/[\\w%-]+`;

export const depends = () => ['site', 'plugins', 'users'];

export const mayReadTemplate = ({ viewer, model }: Call<Model>): Refusal | null =>
  maySeeEditors(viewer, model) ? null : denied;
export const mayWrite = ({ viewer }: Call<Model>): Refusal | null =>
  may(viewer, 'edit_theme_options') ? null : denied;
const denied = refuse(
  'rest_cannot_manage_templates',
  'Sorry, you are not allowed to access the templates on this site.',
);
const notFound = refuse('rest_template_not_found', 'No templates exist with that id.');

export function templateInput(type: TemplateType): (call: Call<Model>) => WantedTemplate {
  return inputs[type];
}

const inputs: Readonly<Record<TemplateType, (call: Call<Model>) => WantedTemplate>> = {
  wp_template: oncePerRequest((call) => wantedIn(call as Call<Model>, 'wp_template')),
  wp_template_part: oncePerRequest((call) => wantedIn(call as Call<Model>, 'wp_template_part')),
};

/** Brings the content of a write into its stored form, if it is long. */
export function prepareTemplate({ sent, viewer }: Call<Model>, texts: PreparedTexts): Promise<void> | undefined {
  const content = text(sent('content'));
  const work = content === undefined ? null : ({ job: markupJob(viewer, true), texts: [content] } as const);
  return work !== null && isSlow(work) ? texts.prepare([work]) : undefined;
}

function wantedIn(call: Call<Model>, type: TemplateType): WantedTemplate {
  const suggested = call.sent('is_wp_suggestion');
  const isSuggestion = type === 'wp_template' && typeof suggested === 'boolean' ? { isSuggestion: suggested } : {};
  return { ...templateFields(type).input(call), ...isSuggestion };
}

export function templateRow(
  { params, model }: Pick<Call<Model | Session>, 'params' | 'model'>,
  { type, themes }: Of,
  name = 'id',
): TemplateRow | Refusal {
  const [, theme = '', slug = ''] = /^(.*?)\/{1,2}([^/]+)$/.exec(String(params[name])) ?? [];
  return rowAt({ type, theme, slug }, activeTheme(model, themes), model) ?? notFound;
}

export function askedTheme(row: TemplatePlace, model: Model, { themes }: Of): Theme {
  return allThemes(model, themes).find(({ slug }) => slug === row.theme) ?? activeTheme(model, themes);
}
