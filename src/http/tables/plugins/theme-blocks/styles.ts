import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import {
  type BlockStyle,
  placeKey,
  type StylePlace,
  saveStyles,
  themeStyles,
} from '#domain/plugins/theme-styles/area.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry } from '#site/rights.ts';
import { fault } from '../../../engine/faults.ts';
import type { Answer, Call, Fault } from '../../../engine/types.ts';
import { failure, success } from '../kit/envelopes.ts';
import { strict } from '../kit/field.ts';
import { forbiddenName } from '../kit/names.ts';

const postId = z.int().min(1);
const style = z.looseObject({ key: z.string().min(1).max(200), values: z.array(z.looseObject({})) });

/** What styles apply to: `widget`, `template`, a post, or '' for nothing in particular. */
export const pageId = strict(
  'page_id',
  z.union([
    z.enum(['widget', 'template', '']),
    postId,
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .transform(Number),
  ]),
  { hidden: true },
);

export const options = strict('options', z.array(style).max(1000), { required: true, also: foreignName });

export function showStyles(call: Call<Model>): Answer {
  const { model } = call;
  const place = placeOf(call);
  const own = model.plugin(themeStyles, placeKey(place)).styles;
  const shown = place.scope === 'post' ? (own.length === 0 ? elsewhere(model) : inUse(own, place.post, model)) : own;
  return success(shown);
}

export function updateStyles(call: Call<Session>): Answer {
  const { model: session, params } = call;
  const place = placeOf(call);
  // As sent, in their order: unknown members are kept.
  const styles = params['options'] as readonly BlockStyle[];
  if (styles.length === 0) return failure('There are no styles to save.');
  const denied = hindrance(place, call);
  if (denied !== null) return failure(denied);
  stageIn(session, themeStyles, saveStyles(session.plugin(themeStyles, placeKey(place)), place, styles));
  return success(null, 'The styles were saved.');
}

function hindrance({ scope, post }: StylePlace, { model, viewer }: Call<Model>): string | null {
  if (scope === 'template' || scope === 'widget')
    return may(viewer, 'edit_theme_options') ? null : `You may not change the ${scope}s.`;
  if (scope !== 'post') return null;
  const row = model.entry(post);
  if (row === undefined) return 'There is no such post.';
  return canEditEntry(viewer, row) ? null : 'You may not edit this post.';
}

function placeOf(call: Call<Model>): StylePlace {
  const id = pageId.of(call);
  if (typeof id === 'number') return { scope: 'post', post: id };
  return { scope: id || 'undefined', post: 0 };
}

function elsewhere(model: Model): readonly BlockStyle[] {
  return model.plugin(themeStyles, placeKey({ scope: 'undefined', post: 0 })).styles;
}

function inUse(styles: readonly BlockStyle[], post: number, model: Model): readonly BlockStyle[] {
  const content = model.texts(post)?.content ?? '';
  return styles.filter(
    ({ key, values }) => content.includes(String(key)) && Array.isArray(values) && values.length > 0,
  );
}

function foreignName(value: unknown): Fault | null {
  const name = forbiddenName(value);
  return name === null ? null : fault('invalid_param', `options: ${name} is no name.`);
}
