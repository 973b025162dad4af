import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Rendering } from '#site/rendering/types.ts';
import type { Context } from '../../engine/types.ts';

export interface MediaShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  readonly rendering: Rendering;
}
