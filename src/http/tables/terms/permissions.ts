import { kindOf } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { menu, type TermKind } from '#domain/term/kinds.ts';
import { canDeleteTerm, canManage, canView } from '#domain/term/rights.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { publicMenus } from '#site/menus.ts';
import { canReadEntry } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, RoutePast } from '../../engine/types.ts';
import { hiddenUnless, pastOfItem } from '../entries/permissions.ts';
import { writtenContext } from './fields.ts';

/** Permissions for terms; the first refusal that applies is returned. */

const noTerm = refuse('rest_term_invalid', 'Term does not exist.');

type Permission = (call: Call<Model>) => Refusal | null;

export const mayListTerms =
  (kind: TermKind): Permission =>
  (call) => {
    const { params, viewer } = call;
    if (isEditing(call, kind) && !canManage(viewer, kind)) {
      return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit terms in this taxonomy.');
    }
    return mayView(call, kind) ?? (params['post'] ? mayListFor(call, kind) : null);
  };

export const mayShowTerm =
  (kind: TermKind): Permission =>
  (call) => {
    const term = findTerm(call, kind);
    if (isRefusal(term)) return term;
    return call.params['context'] === 'edit' && !canManage(call.viewer, kind)
      ? refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this term.')
      : mayView(call, kind, term);
  };

export const pastOfTerm = (kind: TermKind): RoutePast<Model> => ({
  ...pastOfItem,
  // It has a count.
  isLong: true,
  hidden: hiddenUnless((call) => !isRefusal(mayShowTerm(kind)(call) ?? findTerm(call, kind)), noTerm),
});

export const mayCreateTerm =
  (kind: TermKind): Permission =>
  ({ viewer }) =>
    may(viewer, kind.rights.create)
      ? null
      : refuse('rest_cannot_create', 'Sorry, you are not allowed to create terms in this taxonomy.');

export const mayUpdateTerm =
  (kind: TermKind): Permission =>
  (call) => {
    const term = findTerm(call, kind);
    if (isRefusal(term)) return term;
    return canManage(call.viewer, kind)
      ? null
      : refuse('rest_cannot_update', 'Sorry, you are not allowed to edit this term.');
  };

export const mayDeleteTerm =
  (kind: TermKind): Permission =>
  (call) => {
    const term = findTerm(call, kind);
    if (isRefusal(term)) return term;
    return canDeleteTerm(call.viewer, { kind, id: term.id, heir: call.model.site().defaultCategory })
      ? null
      : refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete this term.');
  };

/** If creating a term responds in context edit, `Allow` is computed for that context. */
function isEditing({ method, params, viewer }: Call<Model>, kind: TermKind): boolean {
  if (params['context'] === 'edit') return true;
  return method === 'POST' && writtenContext(kind) === 'edit' && may(viewer, kind.rights.create);
}

/** Whether a viewer may see only those menus that everybody may see. */
export function seesPublicMenus(viewer: Viewer, kind: TermKind): boolean {
  return kind === menu && !canView(viewer, kind);
}

/** `term`: the one that is asked for; absent: a list. */
function mayView({ viewer, model }: Call<Model>, kind: TermKind, term?: TermRow): Refusal | null {
  const open = seesPublicMenus(viewer, kind) ? publicMenus(model) : null;
  const isOpenMenu = open !== null && (term === undefined ? open.length > 0 : open.some(({ id }) => id === term.id));
  return isOpenMenu || canView(viewer, kind)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view menus, unless you have access to write content.');
}

/** Terms of an entry are for those who may read the entry; its kind must have the taxonomy. */
function mayListFor({ params, model, viewer }: Call<Model>, { name }: TermKind): Refusal | null {
  const entry = model.entry(idFrom(params['post']));
  if (entry === undefined) return { ...refuse('rest_post_invalid_id', 'Invalid post ID.'), about: 'input' };
  const kind = kindOf(entry.kind);
  return kind.taxonomies.includes(name) && canReadEntry(viewer, entry, kind)
    ? null
    : refuse('rest_forbidden_context', 'Sorry, you are not allowed to view terms for this post.');
}

export function findTerm({ params, model }: Call<Model>, kind: TermKind): TermRow | Refusal {
  const id = idFrom(params['id']);
  const row = id > 0 ? model.term(id) : undefined;
  return row?.taxonomy === kind.name ? row : noTerm;
}
