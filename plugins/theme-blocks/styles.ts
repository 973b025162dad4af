import { type PluginArg, type PluginCall, type PluginReader, type PluginSession, z } from 'palimpsest/plugin';
import { type BlockStyle, placeKey, type StylePlace, saveStyles, themeStyles } from './area.ts';
import { stylesIn, stylesInUse } from './rules.ts';
import { failure, success } from './values.ts';

const postId = z.int().min(1);
const style = z.looseObject({ key: z.string().min(1).max(200), values: z.array(z.looseObject({})) });

/** What styles apply to: `widget`, `template`, a post, or '' for nothing in particular. */
const place = z.union([
  z.enum(['widget', 'template', '']),
  postId,
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
]);

export const pageId: PluginArg = { ...strict('page_id', place), hidden: true };
export const options: PluginArg = { ...strict('options', z.array(style).max(1000), forbiddenName), required: true };

export function showStyles(call: PluginCall<PluginReader>) {
  const { model } = call;
  const place = placeOf(call);
  const own = stylesIn(place, model);
  if (place.scope !== 'post') return success(own);
  if (own.length === 0) return success(stylesIn({ scope: 'undefined', post: 0 }, model));
  const used = stylesInUse(own, place.post, model);
  return success(used.filter(({ values }) => Array.isArray(values) && values.length > 0));
}

export function updateStyles(call: PluginCall<PluginSession>) {
  const { model, params } = call;
  const place = placeOf(call);
  // As sent, in their order: unknown members are kept.
  const styles = params['options'] as readonly BlockStyle[];
  if (styles.length === 0) return failure('There are no styles to save.');
  const denied = hindrance(place, call);
  if (denied !== null) return failure(denied);
  model.stage(themeStyles, saveStyles(model.document(themeStyles, placeKey(place)), place, styles));
  return success(null, 'The styles were saved.');
}

function hindrance({ scope, post }: StylePlace, { model, may, mayEdit }: PluginCall<PluginSession>): string | null {
  if (scope === 'template' || scope === 'widget') return may('admin') ? null : `You may not change the ${scope}s.`;
  if (scope !== 'post') return null;
  if (model.entry(post) === undefined) return 'There is no such post.';
  return mayEdit(post) ? null : 'You may not edit this post.';
}

function placeOf({ params }: PluginCall<PluginReader>): StylePlace {
  const id = place.optional().parse(params['page_id'] ?? undefined);
  if (typeof id === 'number') return { scope: 'post', post: id };
  return { scope: id || 'undefined', post: 0 };
}

function strict(name: string, schema: z.ZodType, also?: (value: unknown) => string | null): PluginArg {
  return {
    schema: z.unknown(),
    sent: schema,
    check: (value) => {
      const read = schema.safeParse(value);
      const fault = read.success ? also?.(value) : z.prettifyError(read.error);
      return fault ? { code: 'invalid_param', message: `${name}: ${fault}` } : null;
    },
  };
}

/** Names with a meaning in every object. */
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Refuses such names of members anywhere inside a value. */
function forbiddenName(value: unknown): string | null {
  let level: readonly unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const found = Array.isArray(one) ? undefined : Object.keys(one).find((name) => forbidden.has(name));
      if (found !== undefined) return `${found} is no name.`;
      for (const member of Object.values(one)) next.push(member);
    }
    level = next;
  }
  return null;
}
