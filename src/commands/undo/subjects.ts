import { fieldsOfComment, restoreComment } from '#domain/comment/restoring.ts';
import type { Comment } from '#domain/comment/state.ts';
import { deleteEntry as decideDeletion } from '#domain/entry/decide.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { fieldsOfEntry, restoreEntry } from '#domain/entry/restoring.ts';
import { type Entry, entryStream } from '#domain/entry/state.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { fieldsOfMedia, restoreMedia } from '#domain/media/restoring.ts';
import type { Media } from '#domain/media/state.ts';
import { changeSettings as decideSettings } from '#domain/site/decide.ts';
import { settingNames } from '#domain/site/settings.ts';
import { changeStyles, siteStyles } from '#domain/site-styles/area.ts';
import { type Template, templateKey, templates } from '#domain/templates/area.ts';
import { deleteTemplate } from '#domain/templates/decide.ts';
import { fieldsOfTemplate, restoreTemplate } from '#domain/templates/restoring.ts';
import { fieldsOfTerm, restoreTerm } from '#domain/term/restoring.ts';
import type { Term } from '#domain/term/state.ts';
import { type Tools, tools } from '#domain/tools/area.ts';
import { switchTools } from '#domain/tools/decide.ts';
import type { Fields } from '#domain/undo/inverse.ts';
import { fieldsOfUser, restoreUser } from '#domain/user/restoring.ts';
import type { User } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import { users } from '#projections/users/definition.ts';
import { addressDigest } from '../addresses.ts';
import { deleteComment } from '../comments.ts';
import { administratorsIn } from '../credentials.ts';
import { factsFor, load } from '../entries.ts';
import { deleteMedia } from '../media.ts';
import { Refused } from '../refused.ts';
import type { Session } from '../session.ts';
import { deleteTerm } from '../terms.ts';

/** Another item that a field of an item names. */
export interface Reference {
  readonly field: string;
  readonly area: 'user' | 'term' | 'media' | 'item';
  readonly id: number;
}

/** How an undo reads and changes what a kind of stream is about. `S`: its state. */
export interface UndoSubject<S extends object> {
  readonly read: (model: Model, id: number) => S | null;
  readonly fieldsOf: (state: S) => Fields<S>;
  readonly restore: (session: Session, now: S | null, then: S) => readonly DomainEvent[] | Refusal;
  /** Absent: such an item is never made by what can be undone. Throws `Refused`. */
  readonly remove?: (session: Session, id: number) => void;
  readonly references?: (state: S) => readonly Reference[];
  /** Ids of other items that have the name which this one is to have. */
  readonly rivals?: (model: Model, state: S) => readonly number[];
}

/** Items of other kinds of streams have no number. */
export const onlyId = 0;

const entry: UndoSubject<Entry> = {
  read(model, id) {
    const [row, texts] = [model.entry(id), model.texts(id)];
    if (row === undefined || texts === undefined) return null;
    const { ord: _, since: __, touched: ___, version: ____, titleJson: _____, ...more } = row;
    const { excerptJson: ______, contentJson: _______, ...state } = more;
    return { ...state, ...texts };
  },
  fieldsOf: fieldsOfEntry,
  restore: (session, now, then) => restoreEntry(now, then, factsFor(session, kindOf(then.kind), then.id)),
  // What is below it is given back, or was below it before it was there.
  remove: (session, id) => session.stage(entryStream(id), decideDeletion(load(session, id), false)),
  references: ({ author, parent, kind, featuredMedia, categories, tags, otherTerms }) => [
    { field: 'author', area: 'user', id: author },
    ...(kindOf(kind).hierarchical ? [{ field: 'parent', area: 'item', id: parent } as const] : []),
    { field: 'featuredMedia', area: 'media', id: featuredMedia },
    ...categories.map((id) => ({ field: 'categories', area: 'term', id }) as const),
    ...tags.map((id) => ({ field: 'tags', area: 'term', id }) as const),
    ...Object.values(otherTerms)
      .flat()
      .map((id) => ({ field: 'terms', area: 'term', id }) as const),
  ],
  rivals(model, { id, kind, slug, parent }) {
    const below = kindOf(kind).hierarchical ? parent : -1;
    if (slug === '' || !model.slugTaken(slug, { kind, id, parent: below })) return [];
    return model.named(slug).filter((other) => other !== id);
  },
};

const media: UndoSubject<Media> = {
  read(model, id) {
    const row = model.media(id);
    if (row === undefined) return null;
    const { ord: _, touched: __, titleJson: ___, descriptionJson: ____, ...state } = row;
    return state;
  },
  fieldsOf: fieldsOfMedia,
  restore: (session, now, then) => restoreMedia(now, then, session.now),
  remove: deleteMedia,
  references: ({ author, featuredMedia }) => [
    { field: 'author', area: 'user', id: author },
    { field: 'featuredMedia', area: 'media', id: featuredMedia },
  ],
  rivals: (model, { id, slug }) => model.named(slug).filter((other) => other !== id),
};

const comment: UndoSubject<Comment> = {
  read(model, id) {
    const row = model.comments.get(id);
    if (row === undefined) return null;
    const { touched: _, ...state } = row;
    return state;
  },
  fieldsOf: fieldsOfComment,
  restore: (session, now, then) => restoreComment(now, then, { digest: (email) => addressDigest(session, email) }),
  remove: deleteComment,
  references: ({ post, author }) => [
    { field: 'post', area: 'item', id: post },
    { field: 'author', area: 'user', id: author },
  ],
};

const term: UndoSubject<Term> = {
  read(model, id) {
    const row = model.namedTerm(id);
    if (row === undefined) return null;
    const { taxonomy, name, slug, description, parent, menu } = row;
    return { id, taxonomy, name, slug, description, parent, ...(menu === undefined ? {} : { menu }) };
  },
  fieldsOf: fieldsOfTerm,
  restore: (_, now, then) => restoreTerm(now, then),
  remove(session, id) {
    const refusal = deleteTerm(session, id);
    if (refusal !== null) throw new Refused(refusal);
  },
  references: ({ parent }) => [{ field: 'parent', area: 'term', id: parent }],
  rivals(model, { id, taxonomy, slug }) {
    const other = model.termBySlug(taxonomy, slug);
    return other === undefined || other.id === id ? [] : [other.id];
  },
};

const user: UndoSubject<User> = {
  read(model, id) {
    const row = model.user(id);
    if (row === undefined || row.erased) return null;
    const { published: _, ...state } = row;
    return state;
  },
  fieldsOf: fieldsOfUser,
  restore(session, now, then) {
    if (now === null) return [];
    const isLast = isAdministrator(now) && !isAdministrator(then) && administratorsIn(session) === 1;
    return isLast ? LAST_ADMINISTRATOR : restoreUser(now, then);
  },
  rivals(model, { id, slug, email }) {
    const others = [model.userBySlug(slug), email === '' ? undefined : model.userByName(email)];
    return [...new Set(others.flatMap((other) => (other === undefined || other.id === id ? [] : [other.id])))];
  },
};

function isAdministrator({ roles, disabled }: User): boolean {
  return roles.includes('administrator') && !disabled;
}

const LAST_ADMINISTRATOR = refuse('rest_cannot_undo', 'Nobody would be left who may administer the site.');

type Settings = Readonly<Record<string, unknown>>;

const settingReferences = [
  ['defaultCategory', 'term'],
  ['pageOnFront', 'item'],
  ['pageForPosts', 'item'],
  ['siteLogo', 'media'],
  ['siteIcon', 'media'],
] as const;

const site: UndoSubject<Settings> = {
  read(model) {
    const all = model.site();
    const names = [...settingNames, 'email'] as const;
    return Object.fromEntries(names.map((name) => [name, all.unset.includes(name) ? null : all[name]]));
  },
  fieldsOf: single,
  restore(session, now, then) {
    const wanted = Object.fromEntries(Object.entries(then).filter(([name, value]) => now?.[name] !== value));
    const userByEmail = (email: string) => session.of(users).byEmail(email)?.id ?? 0;
    return decideSettings(session.site(), wanted, { userByEmail });
  },
  references: (settings) =>
    settingReferences.map(([field, area]) => ({ field, area, id: Number(settings[field] ?? 0) })),
};

const template: UndoSubject<Template> = {
  read: (model, number) => model.plugin(templates, templateKey(number)).template,
  fieldsOf: fieldsOfTemplate,
  restore(session, now, then) {
    const { last } = session.plugin(templates);
    return restoreTemplate(now, then, { last, actor: session.viewer?.id ?? 0 });
  },
  remove(session, number) {
    const { template: stored } = session.plugin(templates, templateKey(number));
    if (stored !== null) session.stage(templates.stream, deleteTemplate(stored));
  },
  rivals: (model, { type, theme, slug, number }) =>
    model
      .plugin(templates)
      .places.filter((one) => one.type === type && one.theme === theme && one.slug === slug && one.number !== number)
      .map((one) => one.number),
};

const styles: UndoSubject<Settings> = {
  read(model) {
    const { title = '', settings = {}, styles: looks = {} } = model.plugin(siteStyles);
    return { title, settings, styles: looks };
  },
  fieldsOf: single,
  restore(session, now, then) {
    // What was never set reads as empty, and stays so.
    const isOther = ([name, value]: [string, unknown]) => JSON.stringify(now?.[name]) !== JSON.stringify(value);
    const wanted = Object.fromEntries(Object.entries(then).filter(isOther));
    return changeStyles(session.plugin(siteStyles), wanted, session.viewer?.id ?? 0);
  },
};

const switches: UndoSubject<Tools['switches']> = {
  read: (model) => model.plugin(tools).switches,
  fieldsOf: single,
  restore: (session, _, then) => switchTools(session.plugin(tools), then),
};

function single<S extends object>(state: S): Fields<S> {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, { [name]: value }])) as Fields<S>;
}

/** By area of their streams. */
const subjects = {
  entry,
  media,
  comment,
  term,
  user,
  site,
  'plugin-templates': template,
  'plugin-site-styles': styles,
  'plugin-host-tools': switches,
} as const;

export type UndoArea = keyof typeof subjects;

/** Calls `use` with the subject of an area, whose state it need not know. */
export function withSubject<T>(area: UndoArea, use: <S extends object>(subject: UndoSubject<S>) => T): T {
  return use(subjects[area] as UndoSubject<object>);
}

export function isUndoArea(area: string): area is UndoArea {
  return Object.hasOwn(subjects, area);
}

/** Stages what a restoration decided. */
export function stageRestored(
  session: Session,
  stream: string,
  events: readonly DomainEvent[] | Refusal,
): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(stream, events);
  return null;
}
