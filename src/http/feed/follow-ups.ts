import { entryKinds } from '#domain/entry/kinds.ts';
import { writableStatuses } from '#domain/entry/vocabulary.ts';
import { comments } from '#projections/comments/definition.ts';
import type { CommentQuery } from '#projections/comments/types.ts';
import { entries } from '#projections/entries/definition.ts';
import { media } from '#projections/media/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import { terms as termTable } from '#projections/terms/definition.ts';
import type { Fact, FedEntry, MediaFact, TermFact, UserFact } from './facts.ts';

/** What another item's change may have changed in the records of items: their addresses, names and terms. */
export interface Affected {
  readonly entries: Iterable<number>;
  readonly media: Iterable<number>;
  readonly comments: Iterable<number>;
  readonly terms: Iterable<number>;
  /** Comments that went with the item that they were on. */
  readonly gone: Iterable<number>;
}

type Ids = Readonly<Partial<Affected>>;

/** More items of one resource are told as one change, of the item 0: any of them may have changed. */
export const mostAffected = 50;

const nothing: Affected = { entries: [], media: [], comments: [], terms: [], gone: [] };

/**
 * Items whose records follow from that of a fact, as they are now: whoever reads on learns later of those that have left it since. May name
 * some that are the same.
 */
export function affectedBy(fact: Fact, model: Model): Affected {
  return { ...nothing, ...followingFrom(fact, model) };
}

function followingFrom(fact: Fact, model: Model): Ids {
  switch (fact.about) {
    case 'entry':
      return fact.leads ? belowEntry(fact, model) : {};
    case 'media':
      return {
        entries: fact.before === null ? [] : model.present().of(entries).featuring.of(fact.id),
        ...onPost(fact.id, model),
        gone: goneWith(fact, model),
      };
    case 'term':
      return ofTerm(fact, model);
    case 'user':
      return ofUser(fact, model);
    default:
      return {};
  }
}

/** Pages and files below an entry, and the comments on all of these. */
function belowEntry(fact: FedEntry, model: Model): Ids {
  const { id } = fact;
  const table = model.present().of(entries);
  const files = model.present().of(media);
  const pages = new Set([id]);
  // Iterates a set that grows meanwhile.
  for (const page of pages) {
    if (pages.size > mostAffected) break;
    for (const below of table.below.of(page)) pages.add(below);
  }
  const attached = [...pages].flatMap((page) => files.attachedTo(page));
  const said = [...pages, ...attached].flatMap((host) => [...(onPost(host, model).comments ?? [])]);
  pages.delete(id);
  return { entries: pages, media: attached, comments: said, gone: goneWith(fact, model) };
}

function goneWith({ id, after }: FedEntry | MediaFact, model: Model): readonly number[] {
  return after === null
    ? model
        .present()
        .of(comments)
        .goneWith(id, mostAffected + 1)
    : [];
}

const anyComment: CommentQuery = {
  statuses: null,
  kinds: null,
  orderBy: 'id',
  order: 'asc',
  offset: 0,
  limit: mostAffected + 1,
};

function onPost(id: number, model: Model): Ids {
  return { comments: model.comments.find({ ...anyComment, posts: [id] }).ids };
}

/** Terms below a term, and the entries that have it: their records name its slug. */
function ofTerm({ id, taxonomy, what }: TermFact, model: Model): Ids {
  if (what === 'created') return {};
  const table = model.present().of(termTable);
  const terms = new Set([id]);
  // Iterates a set that grows meanwhile.
  for (const term of terms) {
    if (terms.size > mostAffected) break;
    for (const below of table.below(term)) terms.add(below);
    for (const { id: below, parent } of model.terms(taxonomy)) if (parent === term) terms.add(below);
  }
  terms.delete(id);
  const having = what === 'deleted' ? model.present().of(entries).losersOf(id) : entriesWith(id, taxonomy, model);
  return { terms, entries: having };
}

const anyStatus = [...writableStatuses, 'trash'].map((status) => ({ status }));

function entriesWith(id: number, taxonomy: TermFact['taxonomy'], model: Model): readonly number[] {
  return entryKinds
    .filter(({ taxonomies, type }) => type.viewable && taxonomies.includes(taxonomy))
    .flatMap(({ name }) => {
      const query = {
        kind: name,
        statuses: anyStatus,
        orderBy: 'id',
        order: 'asc',
        offset: 0,
        limit: mostAffected + 1,
      } as const;
      return model.find({ ...query, taxonomies: [{ by: 'term', mode: 'any', terms: [id] }] }).ids;
    });
}

/** Comments of a user, who gives them a name; what a deleted user wrote has another author, or is gone. */
function ofUser({ id, what }: UserFact, model: Model): Ids {
  if (what === 'created') return {};
  const said = model.comments.find({ ...anyComment, authors: [id] }).ids;
  if (what === 'deleted') return { comments: said, entries: model.present().of(entries).writtenBy(id) };
  return { comments: said.filter((comment) => model.comments.get(comment)?.name === '') };
}
