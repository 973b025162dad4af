import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../engine/types.ts';
import { AnswerRendering } from './rendering.ts';
import type { Rendering } from './types.ts';

export function renderingOf({ method, model, viewer, path, query, wants }: Call<Model>): Rendering {
  const rehearsed = method === 'GET' || method === 'DELETE' ? undefined : wants;
  return new AnswerRendering({ model, viewer, path, query, rehearsed });
}

export function publicRendering(model: Model): Rendering {
  return new AnswerRendering({ model, viewer: anonymous, path: '', query: {} });
}
