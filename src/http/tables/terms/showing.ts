import { menu, type TermKind } from '#domain/term/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Context } from '../../engine/types.ts';

/** How terms are shown in an answer. */
export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

/** The context in which a term is answered after a write, whatever was asked for. */
export function writtenContext(kind: TermKind): Context {
  return kind === menu ? 'view' : 'edit';
}
