import type { Fields } from '#domain/undo/inverse.ts';
import type { Template, TemplateEvent } from './area.ts';

const single = ['title', 'description', 'content', 'area', 'isSuggestion'] as const;

/** A stored template as the fields that an undo gives back. */
export function fieldsOfTemplate(template: Template): Fields<Template> {
  const { slug, isTrashed } = template;
  return {
    ...Object.fromEntries(single.map((name) => [name, { [name]: template[name] }])),
    place: { slug, isTrashed },
  };
}

/** Makes a stored template what it was; `now` null: it was deleted, and comes back with its number. `last`: the highest number of all. */
export function restoreTemplate(
  now: Template | null,
  then: Template,
  { last, actor }: { readonly last: number; readonly actor: number },
): readonly TemplateEvent[] {
  const { type, theme, number, slug, isTrashed } = then;
  const changed = single.filter((name) => now === null || now[name] !== then[name]);
  const texts = Object.fromEntries(changed.map((name) => [name, then[name]]));
  const hasTexts = changed.some((name) => name !== 'area' && name !== 'isSuggestion');
  const revision = now !== null && hasTexts ? last + 1 : null;
  const author = now === null ? then.author : actor;
  const place = { type, theme, slug: isTrashed ? (now?.slug ?? slug) : slug };
  const isBack = now?.isTrashed === true && !isTrashed;
  const saved: readonly TemplateEvent[] =
    now !== null && changed.length === 0 && !isBack
      ? []
      : [{ type: 'TemplateSaved', data: { ...place, number, isNew: now === null, revision, author, ...texts } }];
  const isGone = isTrashed && (now?.isTrashed !== true || saved.length > 0);
  return isGone ? [...saved, { type: 'TemplateTrashed', data: { ...place, number, as: slug } }] : saved;
}
