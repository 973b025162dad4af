import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Context } from '../../engine/types.ts';

export interface CommentShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}
