import { menu, type TermKind } from '#domain/term/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Context } from '../../engine/types.ts';

export interface TermShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

export function writtenContext(kind: TermKind): Context {
  return kind === menu ? 'view' : 'edit';
}
