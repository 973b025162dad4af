import type { Model } from '#projections/reading/model.ts';
import { renderingWithLists } from '#site/post-lists/in-contents.ts';
import type { Rendering, TextRendering } from '#site/rendering/types.ts';
import type { Call } from '../engine/types.ts';
import { LateRendering } from './late-rendering.ts';

export function renderingOf({ method, model, viewer, path, query, wants }: Call<Model>): Rendering {
  const rehearsed = method === 'GET' || method === 'DELETE' ? undefined : wants;
  return renderingWithLists({ model, viewer, path, query, rehearsed });
}

/** The rendering for an entry that a write shows: after the commit, unless the write has no session. */
export function lateRenderingOf(call: Call<Model>): TextRendering {
  return call.late === undefined ? renderingOf(call) : new LateRendering(call, call.late);
}
