import type { TermKind } from '#domain/term/kinds.ts';
import type { Term } from '#domain/term/state.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';

/** Rights of a viewer over terms (interface behaviour, section 14). */

export function canView(viewer: Viewer, { rights }: TermKind): boolean {
  return rights.read === null || may(viewer, rights.read);
}

export function canManage(viewer: Viewer, { rights }: TermKind): boolean {
  return may(viewer, rights.manage);
}

export function canDeleteTerm(
  viewer: Viewer,
  { kind, term, model }: { kind: TermKind; term: Term; model: Model },
): boolean {
  return canManage(viewer, kind) && term.id !== model.site().defaultCategory;
}

export function methodsForTerm(viewer: Viewer, of: { kind: TermKind; term: Term; model: Model }): readonly string[] {
  const shown = canView(viewer, of.kind) ? ['GET'] : [];
  const methods = canManage(viewer, of.kind) ? [...shown, 'POST', 'PUT', 'PATCH'] : shown;
  return canDeleteTerm(viewer, of) ? [...methods, 'DELETE'] : methods;
}
