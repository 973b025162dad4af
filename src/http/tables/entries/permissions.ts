import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry, canReadEntry, mayEditSomething, mayReadPast } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, RoutePast } from '../../engine/types.ts';
import { tooManyAttempts } from '../../message/attempts.ts';

/** Permissions for entries (interface behaviour, sections 8, 14 and 15); the first refusal that applies is returned. */

type Permission = (call: Call<Model>) => Refusal | null;

export const mayListEntries =
  (kind: EntryKind): Permission =>
  ({ params, viewer }) =>
    params['context'] === 'edit' && !may(viewer, kind.rights.edit)
      ? refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.')
      : null;

function pastAllowed({ viewer }: Pick<Call<Model>, 'viewer'>): Refusal | null {
  return mayReadPast(viewer) ? null : noPast;
}

export const pastOfCollection: RoutePast<Model> = {
  what: 'the collection',
  isLong: true,
  permission: pastAllowed,
};

/** The same of an item that all may read who may read its kind. */
export const pastOfItem: RoutePast<Model> = { what: 'the item', permission: pastAllowed };

/** Says that there is no item to those who may edit nothing and cannot read it now. */
export function hiddenUnless(isReadable: (call: Call<Model>) => boolean, missing: Refusal): Permission {
  return (call) => (mayEditSomething(call.viewer) || isReadable(call) ? null : missing);
}

/** Value of `by`: moments are those of the site that an item was imported from. */
export const BY_SOURCE = 'source';

/** The past of an entry is for users who may edit the present one; that of others, for users who may edit any. */
export const pastOfEntry = (kind: EntryKind): RoutePast<Model> => ({
  what: 'the item',
  byItself: (sent) => sent('by') === BY_SOURCE,
  permission: ({ params, viewer, model }) => {
    const now = model.present().entry(idFrom(params['id']));
    return (now?.kind === kind.name ? canEditEntry(viewer, now) : may(viewer, kind.rights.editOthers)) ? null : noPast;
  },
  hidden: hiddenUnless(
    (call) => {
      const row = findEntry(call, kind);
      return !isRefusal(row) && canReadEntry(call.viewer, row);
    },
    refuse('rest_post_invalid_id', 'Invalid post ID.'),
  ),
});

export const noPast = refuse('rest_forbidden', 'Sorry, you are not allowed to see how this was.');

export const mayShowEntry =
  (kind: EntryKind): Permission =>
  (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    const { params, viewer } = call;
    if (params['context'] === 'edit' && !canEditEntry(viewer, row)) {
      return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
    }
    const asked = passwordSent(call.query['password']);
    // In the body of a write it is the password to set.
    const password = call.method === 'GET' ? passwordSent(params['password']) : asked;
    const attempt = password === undefined || row.password === '' ? undefined : call.request.attempt?.(row.id);
    if (attempt !== undefined && attempt.wait > 0) return tooManyAttempts(attempt.wait);
    if (password !== undefined && password !== row.password) {
      attempt?.failed();
      if (asked !== undefined) return refuse('rest_post_incorrect_password', 'Incorrect post password.');
    }
    return canReadEntry(viewer, row) ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  };

export const mayCreateEntry =
  (kind: EntryKind): Permission =>
  (call) => {
    const { params, viewer } = call;
    if (!isEmpty(params['id'])) return refuse('rest_post_exists', 'Cannot create existing post.');
    return (
      mayAssignAuthor(params['author'], viewer, kind) ??
      (kind.features.has('sticky') && isTrue(params['sticky']) && !may(viewer, kind.rights.editOthers)
        ? noSticky
        : null) ??
      (may(viewer, kind.rights.create)
        ? null
        : refuse('rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')) ??
      mayAssignTerms(call, kind)
    );
  };

export const mayUpdateEntry =
  (kind: EntryKind): Permission =>
  (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    const { params, viewer } = call;
    if (!canEditEntry(viewer, row)) return refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    return (
      mayAssignAuthor(params['author'], viewer, kind) ??
      (kind.features.has('sticky') && changesSticky(call, row) && !may(viewer, kind.rights.editOthers)
        ? noSticky
        : null) ??
      mayAssignTerms(call, kind)
    );
  };

export const mayDeleteEntry =
  (kind: EntryKind): Permission =>
  (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    return canEditEntry(call.viewer, row)
      ? null
      : refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  };

/** The password in a parameter; undefined for none. */
export function passwordSent(sent: unknown): string | undefined {
  return typeof sent === 'string' && sent !== '' ? sent : undefined;
}

const noSticky = refuse('rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.');

const otherAuthor = refuse(
  'rest_cannot_edit_others',
  'Sorry, you are not allowed to create or update posts as this user.',
);

export function mayAssignAuthor(author: unknown, viewer: Viewer, kind: EntryKind): Refusal | null {
  if (!kind.features.has('author')) return null;
  const isOwn = isEmpty(author) || idFrom(author) === viewer.id;
  return isOwn || may(viewer, kind.rights.editOthers) ? null : otherAuthor;
}

function mayAssignTerms({ params, viewer, model }: Call<Model>, { taxonomies }: EntryKind): Refusal | null {
  for (const { base, rights } of taxonomies.map((name) => termKinds[name])) {
    if (may(viewer, rights.assign)) continue;
    const named = [params[base]].flat();
    if (named.some((id) => model.namedTerm(idFrom(id)) !== undefined)) {
      return refuse('rest_cannot_assign_term', 'Sorry, you are not allowed to assign the provided terms.');
    }
  }
  return null;
}

function changesSticky({ params, sent }: Call<Model>, row: EntryRow): boolean {
  return sent('sticky') !== undefined && isTrue(params['sticky']) !== row.sticky;
}

export function isEmpty(value: unknown): boolean {
  return !value || value === '0' || (Array.isArray(value) && value.length === 0);
}

// Also called before the parameters have been checked, for the `Allow` header.
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && ['1', 'true'].includes(value.toLowerCase()));
}

export function findEntry(call: Call<Model>, kind: EntryKind, name = 'id'): EntryRow | Refusal {
  const row = call.model.entry(idFrom(call.params[name]));
  return row?.kind === kind.name ? row : refuse('rest_post_invalid_id', 'Invalid post ID.');
}
