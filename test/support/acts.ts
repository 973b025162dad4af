import fc from 'fast-check';
import * as entries from '#commands/entries.ts';
import * as revisions from '#commands/revisions.ts';
import type { Session } from '#commands/session.ts';
import type { TermIds } from '#domain/entry/classification.ts';
import type { EntryFields } from '#domain/entry/commands.ts';
import { type EntryKind, kindOf, menuItem, navigation, page, pattern, post } from '#domain/entry/kinds.ts';
import { menuItemPart } from '#domain/entry/menu-item.ts';
import { patternPart, syncStatuses } from '#domain/entry/pattern.ts';
import { writableStatuses } from '#domain/entry/vocabulary.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { menu, patternCategory } from '#domain/term/kinds.ts';
import { termStream } from '#domain/term/state.ts';
import { entries as entryRows } from '#projections/entries/definition.ts';
import { type CommentAct, commentAct, isCommentAct, performOnComments } from './comment-acts.ts';
import { isMediaAct, type MediaAct, mediaAct, performOnMedia, someId } from './media-acts.ts';
import { isUserAct, leaving, performOnUsers, someUser, type UserAct, userAct } from './user-acts.ts';

/** Something a user does; `at` picks one of the existing entries. */
export type Act =
  | MediaAct
  | CommentAct
  | UserAct
  | { readonly do: 'create'; readonly kind: string; readonly fields: EntryFields }
  | { readonly do: 'save'; readonly at: number; readonly fields: EntryFields }
  | { readonly do: 'autosave'; readonly at: number; readonly fields: EntryFields; readonly by: number }
  | { readonly do: 'trash' | 'delete'; readonly at: number }
  | { readonly do: 'restore' | 'delete revision'; readonly at: number; readonly which: number }
  | { readonly do: 'add term'; readonly name: string }
  | { readonly do: 'lose term'; readonly id: number };

const title = fc.constantFrom('One', 'Two words', 'Über — "this"', '日本', '!!!', '1987');
const moment = fc.constantFrom(
  null,
  { local: '2019-05-06T07:08:09', gmt: '2019-05-06T05:08:09' },
  { local: '2036-01-02T03:04:05', gmt: '2036-01-02T02:04:05' },
);
const fields = fc.record(
  {
    title,
    content: fc.constantFrom('Text', 'Text ', 'A\n\nB', '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->', ''),
    excerpt: fc.constantFrom('', 'Short'),
    status: fc.constantFrom(...writableStatuses),
    slug: fc.constantFrom('', 'own', 'own-2', 'feed'),
    date: moment,
    password: fc.constantFrom('', 'secret'),
    sticky: fc.boolean(),
    commentStatus: fc.constantFrom('open' as const, 'closed' as const),
    categories: fc.subarray([1, 2, 3]),
    tags: fc.subarray([2, 3]),
    otherTerms: fc.record({
      [patternCategory.name]: fc.subarray([4, 9]),
      [menu.name]: fc.subarray([5], { minLength: 1 }),
    }),
    part: fc.record({ syncStatus: fc.constantFrom(...syncStatuses) }),
    featuredMedia: someId,
    parent: someId,
    author: fc.nat(4),
  },
  { requiredKeys: [] },
);
const at = fc.nat(20);
const someKind = fc.constantFrom(...[post, post, page, page, pattern, navigation, menuItem].map(({ name }) => name));
/** The first user writes the entries, so only that user's autosaves of drafts are those of the author. */
const by = fc.constantFrom(1, 1, 2);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), kind: someKind, fields }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('save' as const), at, fields }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('autosave' as const), at, fields, by }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('trash' as const, 'delete' as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('restore' as const, 'delete revision' as const),
      at,
      which: fc.nat(5),
    }),
  },
  { weight: 6, arbitrary: mediaAct },
  { weight: 5, arbitrary: commentAct },
  { weight: 2, arbitrary: userAct },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('add term' as const), name: title }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose term' as const), id: fc.integer({ min: 2, max: 5 }) }) },
);

/** Sequences of acts that affect each other: few entries, few names. */
export const acts: fc.Arbitrary<Act[]> = sequenceOf({ minLength: 1, maxLength: 30 });

/** Longer sequences, with more creations and deletions. */
export const manyActs: fc.Arbitrary<Act[]> = sequenceOf({ minLength: 20, maxLength: 40 });

/** In some of them several users write and leave. */
function sequenceOf(size: { readonly minLength: number; readonly maxLength: number }): fc.Arbitrary<Act[]> {
  const written = fc.record({ do: fc.constant('create' as const), kind: someKind, fields });
  const authored = fc.tuple(fc.oneof(written, act), fc.nat(4)).map(([one, author]): Act => {
    return one.do === 'create' || one.do === 'save' ? { ...one, fields: { ...one.fields, author } } : one;
  });
  const among = fc.oneof({ weight: 6, arbitrary: authored }, { weight: 1, arbitrary: leaving });
  const together = fc.array(among, size).map((sequence): Act[] => [{ do: 'join' }, { do: 'join' }, ...sequence]);
  return fc.oneof({ weight: 2, arbitrary: fc.array(act, size) }, { weight: 1, arbitrary: together });
}

/** Performs an act, as far as possible. */
export function perform(session: Session, act: Act): unknown {
  if (act.do === 'create') {
    const kind = kindOf(act.kind);
    return entries.createEntry(session, kind, usable(session, kind, act.fields));
  }
  if (isCommentAct(act)) return performOnComments(session, act);
  if (isMediaAct(act)) return performOnMedia(session, act);
  if (isUserAct(act)) return performOnUsers(session, act);
  if (act.do === 'add term') return addTerm(session, act.name);
  if (act.do === 'lose term') return loseTerm(session, act.id);
  const ids = session
    .of(entryRows)
    .facetsAfter(-1, 1000)
    .map((row) => row.id);
  const id = ids[act.at % Math.max(1, ids.length)];
  if (id === undefined) return null;
  const kind = kindOf(session.entry(id)?.kind ?? post.name);
  if (act.do === 'save') return entries.saveEntry(session, id, usable(session, kind, act.fields));
  if (act.do === 'autosave') return revisions.autosaveEntry(session, id, usable(session, kind, act.fields));
  if (act.do === 'restore' || act.do === 'delete revision') return turnBack(session, id, act);
  return act.do === 'trash' ? entries.trashEntry(session, id) : entries.deleteEntry(session, id);
}

function turnBack(session: Session, id: number, act: { do: 'restore' | 'delete revision'; which: number }): unknown {
  const all = session.revisions(id).all();
  const revision = all[act.which % Math.max(1, all.length)];
  if (revision === undefined) return null;
  if (act.do === 'delete revision') return revisions.deleteRevision(session, revision);
  return revisions.revertEntry(session, revision, session.revisionTexts(revision));
}

/** Replaces ids that do not exist; otherwise most acts would be refused. Omits fields that the kind lacks. */
function usable(session: Session, { taxonomies, part: ofKind }: EntryKind, fields: EntryFields): EntryFields {
  const { parent = 0, featuredMedia = 0, otherTerms, part, author, ...sent } = fields;
  const writer = author === undefined ? undefined : someUser(session, author);
  const existing = (ids: readonly number[], taxonomy: Taxonomy) =>
    ids.filter((id) => session.term(id)?.taxonomy === taxonomy);
  return {
    ...sent,
    ...(writer === undefined ? {} : { author: writer }),
    ...(session.entry(parent)?.kind === 'page' ? { parent } : {}),
    ...(session.media(featuredMedia)?.image ? { featuredMedia } : {}),
    ...(sent.categories ? { categories: existing(sent.categories, 'category') } : {}),
    ...(otherTerms === undefined ? {} : { otherTerms: ofTaxonomies(taxonomies, otherTerms, existing) }),
    ...(part && ofKind === patternPart ? { part } : {}),
    ...(ofKind === menuItemPart ? { part: { type: 'post_type', object: page.name, objectId: parent } } : {}),
    ...(sent.tags ? { tags: existing(sent.tags, 'post_tag') } : {}),
  };
}

function ofTaxonomies(
  taxonomies: readonly Taxonomy[],
  terms: TermIds,
  existing: (ids: readonly number[], taxonomy: Taxonomy) => readonly number[],
): TermIds {
  const own = taxonomies.filter((name) => terms[name] !== undefined);
  return Object.fromEntries(own.map((name) => [name, existing(terms[name] ?? [], name)]));
}

/** The taxonomy by the remainder of a term's id. */
const someTaxonomies = ['nav_menu', 'category', 'category', 'post_tag', 'wp_pattern_category'] as const;

function addTerm(session: Session, name: string): void {
  const id = session.next.nextTerm;
  const taxonomy = someTaxonomies[id % someTaxonomies.length] ?? 'category';
  const above = session.term(id - 2);
  const parent = taxonomy === 'category' && above?.taxonomy === 'category' ? above.id : 0;
  const data = { id, taxonomy, name, slug: `term-${id}`, description: '', parent };
  session.stage(termStream(id), [{ type: 'TermCreated', data }]);
}

function loseTerm(session: Session, id: number): void {
  const term = session.term(id);
  if (term === undefined) return;
  const { taxonomy, parent } = term;
  const heir = taxonomy === 'category' ? 1 : 0;
  session.stage(termStream(id), [{ type: 'TermDeleted', data: { id, taxonomy, parent, heir } }]);
}
