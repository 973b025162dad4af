import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { typesOf } from './present.ts';

export function maySeeEditors(viewer: Viewer, model: Model): boolean {
  return typesOf(model).some(({ edit }) => may(viewer, edit));
}
