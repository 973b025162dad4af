import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { typesOf } from '../types.ts';

export function maySeeEditors(viewer: Viewer, model: Model): boolean {
  return typesOf(model).some(({ edit }) => may(viewer, edit));
}
