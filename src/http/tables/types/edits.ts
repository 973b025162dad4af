import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { typesOf } from './present.ts';

/** Whether somebody may edit content of any type, and so has to know what an editor works with. */
export function maySeeEditors(viewer: Viewer, model: Model): boolean {
  return typesOf(model).some(({ edit }) => may(viewer, edit));
}
