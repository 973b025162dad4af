import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofTheSite } from '#domain/kernel/subject.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

/** Templates of whole pages, and parts that several of them share. */
export const templateTypes = ['wp_template', 'wp_template_part'] as const;
export type TemplateType = (typeof templateTypes)[number];

const place = {
  type: z.enum(templateTypes),
  theme: limited.word.min(1).describe('slug of the theme that it belongs to'),
  slug: limited.word.min(1),
};
const author = z.int().min(0).describe('user who did it');
const number = z.int().min(1);
const sealing = {
  sealed: ['title', 'description', 'content'],
  erased: { title: '', description: '', content: '' },
  subjects: ofTheSite,
} as const;

const TemplateSaved = defineEvent({
  type: 'TemplateSaved',
  summary: 'A template of pages, or a part of one, was made or changed; only changed texts are recorded.',
  schema: z.object({
    ...place,
    number: number.describe('number of the template; templates, revisions and autosaves are numbered together'),
    isNew: z.boolean().describe('whether none was stored there before'),
    revision: number.nullable().describe('number of the revision that holds the texts as they were saved'),
    author,
    area: limited.word.exactOptional().describe('where a part stands, such as header'),
    isSuggestion: z.boolean().exactOptional().describe('whether an editor offered it, for pages of some sort'),
    title: limited.title.exactOptional(),
    description: limited.paragraph.exactOptional(),
    content: limited.document.exactOptional(),
  }),
  ...sealing,
});

const TemplateAutosaved = defineEvent({
  type: 'TemplateAutosaved',
  summary: 'Unsaved texts of a template were kept for the user who wrote them, in place of the last ones.',
  schema: z.object({
    ...place,
    number,
    autosave: number.describe('number of the autosave'),
    author,
    title: limited.title,
    description: limited.paragraph,
    content: limited.document,
  }),
  ...sealing,
});

const TemplateRevisionDeleted = defineEvent({
  type: 'TemplateRevisionDeleted',
  summary: 'A revision of a template was deleted.',
  schema: z.object({ ...place, number, revision: number }),
});

const TemplateTrashed = defineEvent({
  type: 'TemplateTrashed',
  summary: 'A stored template was moved to the trash, under another slug; saving it brings it back.',
  schema: z.object({ ...place, number, as: limited.word.min(1).describe('slug in the trash') }),
});

const TemplateDeleted = defineEvent({
  type: 'TemplateDeleted',
  summary: 'A stored template was deleted with its revisions; where the theme has one of that name, it is used again.',
  schema: z.object({
    ...place,
    number,
    revisions: limited.list(number).describe('numbers of its revisions and autosaves'),
  }),
});

type Saved = EventOf<typeof TemplateSaved>;
type Autosaved = EventOf<typeof TemplateAutosaved>;
type Trashed = EventOf<typeof TemplateTrashed>;
type Deleted = EventOf<typeof TemplateDeleted>;
export type TemplateEvent = Saved | Autosaved | EventOf<typeof TemplateRevisionDeleted> | Trashed | Deleted;
export type TemplatePlace = Pick<Saved['data'], 'type' | 'theme' | 'slug'>;
export type RevisedTexts = Required<Pick<Saved['data'], 'title' | 'description' | 'content'>>;
export interface TemplateTexts extends RevisedTexts {
  readonly area: string;
}

export interface TemplateSave {
  readonly id: number;
  readonly author: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly isAutosave: boolean;
  readonly isDeleted: boolean;
}

export interface Template extends TemplatePlace, TemplateTexts {
  readonly number: number;
  readonly author: number;
  readonly isSuggestion: boolean;
  readonly isTrashed: boolean;
  /** Last change: UTC, ISO 8601 with milliseconds. */
  readonly modifiedAt: string;
  readonly madeAt: string;
  readonly saves: readonly TemplateSave[];
}

export interface Placed extends TemplatePlace {
  readonly number: number;
  readonly isTrashed: boolean;
}

/** One of three: all places and the last number; a template; the texts of a revision or autosave. */
export interface TemplateDocument {
  readonly last: number;
  readonly places: readonly Placed[];
  readonly template: Template | null;
  readonly texts: Partial<RevisedTexts>;
}

const empty: TemplateDocument = { last: 0, places: [], template: null, texts: {} };
const unsaid = {
  title: '',
  description: '',
  content: '',
  area: 'uncategorized',
  isSuggestion: false,
  isTrashed: false,
};

export const templates = defineArea({
  name: 'templates',
  events: [TemplateSaved, TemplateAutosaved, TemplateRevisionDeleted, TemplateTrashed, TemplateDeleted],
  empty,
  keysOf: (event) => [onlyKey, templateKey(event.data.number), ...textsOf(event).map(textsKey)],
  evolve: (document, event, { key, at }) => {
    if (key === onlyKey) return listed(document, event);
    if (event.type === 'TemplateDeleted') return empty;
    const isTemplate = key === templateKey(event.data.number);
    if (isTemplate) return { ...empty, template: evolved(document.template, event, at) };
    return { ...empty, texts: { ...document.texts, ...kept(event) } };
  },
});

export function templateKey(number: number): string {
  return `template ${number}`;
}

export function textsKey(id: number): string {
  return `texts ${id}`;
}

export function isSamePlace(a: TemplatePlace, b: TemplatePlace): boolean {
  return a.type === b.type && a.theme === b.theme && a.slug === b.slug;
}

/** Numbers of the texts that an event affects: revisions and autosaves; a template's own number for its initial texts. */
function textsOf(event: TemplateEvent): readonly number[] {
  if (event.type === 'TemplateSaved') return [event.data.revision ?? event.data.number];
  if (event.type === 'TemplateAutosaved') return [event.data.autosave];
  return event.type === 'TemplateDeleted' ? [event.data.number, ...event.data.revisions] : [];
}

function kept(event: TemplateEvent): Partial<RevisedTexts> {
  if (event.type !== 'TemplateSaved' && event.type !== 'TemplateAutosaved') return {};
  const said: Partial<RevisedTexts> = event.data;
  const names = ['title', 'description', 'content'] as const;
  return Object.fromEntries(names.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]])));
}

function listed({ last, places }: TemplateDocument, { type, data }: TemplateEvent): TemplateDocument {
  const others = places.filter(({ number }) => number !== data.number);
  const own = { type: data.type, theme: data.theme, slug: data.slug, number: data.number, isTrashed: false };
  const put = (placed: Placed) =>
    others.length < places.length
      ? places.map((one) => (one.number === placed.number ? placed : one))
      : [...places, placed];
  switch (type) {
    case 'TemplateSaved':
      return { ...empty, last: Math.max(last, data.number, data.revision ?? 0), places: put(own) };
    case 'TemplateAutosaved':
      return { ...empty, last: Math.max(last, data.autosave), places };
    case 'TemplateTrashed':
      return { ...empty, last, places: put({ ...own, slug: data.as, isTrashed: true }) };
    case 'TemplateDeleted':
      return { ...empty, last, places: others };
    default:
      return { ...empty, last, places };
  }
}

function evolved(
  template: Template | null,
  { type, data }: Exclude<TemplateEvent, Deleted>,
  at: string,
): Template | null {
  if (type === 'TemplateSaved') {
    const { revision, isNew: _, ...said } = data;
    const before = template ?? { ...unsaid, author: data.author, madeAt: at, saves: [] };
    const saves = revision === null ? before.saves : withSave(before.saves, { ...madeBy(data, at), id: revision });
    return { ...before, ...said, isTrashed: false, author: before.author, modifiedAt: at, saves };
  }
  if (template === null) return null;
  const { saves } = template;
  if (type === 'TemplateTrashed') return { ...template, slug: data.as, isTrashed: true, modifiedAt: at };
  if (type === 'TemplateAutosaved') {
    const save = { ...madeBy(data, at), id: data.autosave, isAutosave: true };
    return { ...template, saves: withSave(saves, save) };
  }
  const marked = saves.map((save) => (save.id === data.revision ? { ...save, isDeleted: true } : save));
  return { ...template, saves: marked };
}

function madeBy(data: { readonly author: number }, at: string): Omit<TemplateSave, 'id'> {
  return { author: data.author, at, isAutosave: false, isDeleted: false };
}

function withSave(saves: readonly TemplateSave[], save: TemplateSave): readonly TemplateSave[] {
  return saves.some(({ id }) => id === save.id)
    ? saves.map((one) => (one.id === save.id ? save : one))
    : [...saves, save];
}
