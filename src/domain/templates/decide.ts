import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { RevisedTexts, Template, TemplateEvent, TemplatePlace, TemplateTexts } from './area.ts';

export type WantedTemplate = Partial<TemplateTexts> & { readonly isSuggestion?: boolean };

export interface SaveFacts {
  /** The texts in use: those stored by users, otherwise the theme's; null: none. */
  readonly present: TemplateTexts | null;
  readonly stored: Template | null;
  readonly last: number;
  readonly actor: number;
}

/**
 * Saves a template; no events if nothing differs. The first save records all non-empty fields and creates no revision. A trashed template
 * is restored.
 */
export function saveTemplate(
  { type, theme, slug }: TemplatePlace,
  wanted: WantedTemplate,
  { present, stored, last, actor }: SaveFacts,
): readonly TemplateEvent[] | Refusal {
  const after = { ...nothing, ...present, ...wanted };
  if (revised.every((name) => after[name] === '')) {
    return refuse('empty_content', 'Content, title, and excerpt are empty.');
  }
  const before = stored ?? nothing;
  const changed = names.filter((name) => after[name] !== before[name]);
  if (stored !== null && changed.length === 0 && !stored.isTrashed) return [];
  const number = stored?.number ?? last + 1;
  const revision = stored !== null && changed.some(isText) ? last + 1 : null;
  const texts = Object.fromEntries(changed.map((name) => [name, after[name]]));
  const isNew = stored === null;
  return [{ type: 'TemplateSaved', data: { type, theme, slug, number, isNew, revision, author: actor, ...texts } }];
}

export interface TemplateAutosaveFacts {
  readonly stored: Template;
  /** Texts of the actor's autosave; null: none. */
  readonly texts: RevisedTexts | null;
  readonly last: number;
  readonly actor: number;
}

/** Stores unsaved texts beside a template. An existing autosave is unchanged if they differ neither from it nor from the template. */
export function autosaveTemplate(
  wanted: WantedTemplate,
  { stored, texts: before, last, actor }: TemplateAutosaveFacts,
): readonly TemplateEvent[] {
  const { type, theme, slug, number } = stored;
  const { title, description, content } = { ...nothing, ...before, ...wanted };
  const texts = { title, description, content };
  const isNew = revised.some((name) => texts[name] !== (before ?? nothing)[name]);
  const isOwn = revised.some((name) => texts[name] !== stored[name]);
  if (before !== null && !(isNew && isOwn)) return [];
  const autosave = stored.saves.find((save) => save.isAutosave && save.author === actor)?.id ?? last + 1;
  return [{ type: 'TemplateAutosaved', data: { type, theme, slug, number, autosave, author: actor, ...texts } }];
}

export function deleteTemplateRevision(
  { type, theme, slug, number }: Template,
  revision: number,
): readonly TemplateEvent[] {
  return [{ type: 'TemplateRevisionDeleted', data: { type, theme, slug, number, revision } }];
}

export function trashTemplate(
  { type, theme, slug, number, isTrashed }: Template,
  isTaken: (slug: string) => boolean,
): readonly TemplateEvent[] | Refusal {
  if (isTrashed) return refuse('rest_template_already_trashed', 'The template has already been deleted.');
  const as = freeSlug(`${slug}__trashed`, isTaken);
  return [{ type: 'TemplateTrashed', data: { type, theme, slug, number, as } }];
}

export function deleteTemplate({ type, theme, slug, number, saves }: Template): readonly TemplateEvent[] {
  return [{ type: 'TemplateDeleted', data: { type, theme, slug, number, revisions: saves.map(({ id }) => id) } }];
}

/** The wanted slug if no stored template has it, otherwise with the first free number. */
export function freeSlug(wanted: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  let number = 2;
  while (isTaken(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

const revised = ['title', 'description', 'content'] as const;
const names = [...revised, 'area', 'isSuggestion'] as const;
const nothing = { title: '', description: '', content: '', area: 'uncategorized', isSuggestion: false };

function isText(name: (typeof names)[number]): boolean {
  return revised.some((one) => one === name);
}
