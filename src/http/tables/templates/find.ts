import { page } from '#domain/entry/kinds.ts';
import type { Theme } from '#domain/extensions/area.ts';
import {
  isSamePlace,
  type Placed,
  type RevisedTexts,
  type Template,
  type TemplatePlace,
  type TemplateSave,
  type TemplateTexts,
  type TemplateType,
  templateKey,
  templates,
  textsKey,
} from '#domain/templates/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { themeTemplateTypes } from '../themes/theme.ts';

/** The effective template: the one that users stored, else that of the theme. */
export interface TemplateRow extends TemplatePlace, TemplateTexts {
  readonly stored: Template | null;
  readonly isOfTheme: boolean;
  readonly isCustom: boolean;
  /** Kinds that it can be chosen for; empty: all. */
  readonly kinds: readonly string[];
  /** For a revision or autosave: the number of its template. */
  readonly parent?: number;
  readonly isAutosave?: true;
}

/** The page template of themes: just the content of the page. */
const CONTENT_ONLY = '<!-- wp:post-content /-->';

/** All templates of a type in a theme: those that the theme offers for pages, and those that users made. */
export function templatesOf(type: TemplateType, theme: Theme, model: Model): readonly TemplateRow[] {
  const stored = placesOf(model).filter((one) => one.type === type && one.theme === theme.slug && !one.isTrashed);
  const own: readonly TemplatePlace[] = ownSlugs(type, model).map((slug) => ({ type, theme: theme.slug, slug }));
  const made = stored.filter(({ slug }) => !own.some((one) => one.slug === slug));
  return [...own, ...made].map((place) => rowAt(place, theme, model)).filter((row) => row !== null);
}

/** The template at a place; null if there is none. `active`: the theme in use, which has the page templates. */
export function rowAt(place: TemplatePlace, active: Theme, model: Model): TemplateRow | null {
  const { type, theme, slug } = place;
  const stored = storedAt(place, model);
  const isOfTheme = theme === active.slug && ownSlugs(type, model).includes(slug);
  if (stored === null && !isOfTheme) return null;
  const { title, description, content, area } = stored ?? ownTexts(slug);
  return {
    type,
    theme,
    slug,
    title,
    description,
    content,
    area,
    stored,
    isOfTheme,
    isCustom: stored?.isSuggestion !== true && !themeTemplateTypes.some((one) => one.slug === slug),
    kinds: isOfTheme ? [page.name] : [],
  };
}

export function isTaken(place: TemplatePlace, model: Model): boolean {
  return placesOf(model).some((one) => isSamePlace(one, place));
}

function storedAt(place: TemplatePlace, model: Model): Template | null {
  const placed = placesOf(model).find((one) => isSamePlace(one, place));
  return placed === undefined ? null : model.plugin(templates, templateKey(placed.number)).template;
}

function placesOf(model: Model): readonly Placed[] {
  return model.plugin(templates).places;
}

function ownTexts(slug: string): TemplateTexts {
  const words = slug.replace(/[-_]+/g, ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());
  return { title: words, description: '', content: CONTENT_ONLY, area: 'uncategorized' };
}

function ownSlugs(type: TemplateType, model: Model): readonly string[] {
  return type === 'wp_template' ? model.site().templates.filter((name) => /^[\w-]+$/.test(name)) : [];
}

export function rowOfSave(row: TemplateRow, save: TemplateSave, model: Model): TemplateRow {
  const { stored } = row;
  if (stored === null) throw new Error('only stored templates have revisions');
  const { id, author, at, isAutosave } = save;
  return {
    ...row,
    ...savedTexts(stored, save, model),
    parent: stored.number,
    ...(isAutosave ? { isAutosave } : {}),
    stored: { ...stored, number: id, author, madeAt: at, modifiedAt: at },
  };
}

export function savedTexts({ number, saves }: Template, { id, isAutosave }: TemplateSave, model: Model): RevisedTexts {
  const until = saves.filter((save) => !save.isAutosave && save.id <= id).map((save) => save.id);
  const ids = isAutosave ? [id] : [number, ...until];
  const texts = ids.map((one) => model.plugin(templates, textsKey(one)).texts);
  return Object.assign({ title: '', description: '', content: '' }, ...texts);
}
