import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../engine/types.ts';
import { LateRendering } from './late-rendering.ts';
import { renderingWithLists } from './post-lists.ts';
import type { Reading, Rendering, TextRendering } from './types.ts';

export function renderingOf({ method, model, viewer, path, query, wants }: Call<Model>): Rendering {
  const rehearsed = method === 'GET' || method === 'DELETE' ? undefined : wants;
  return renderingWithLists({ model, viewer, path, query, rehearsed });
}

/** The rendering for an entry that a write shows: after the commit, unless the write has no session. */
export function lateRenderingOf(call: Call<Model>): TextRendering {
  return call.late === undefined ? renderingOf(call) : new LateRendering(call, call.late);
}

/** What everybody sees on a page. `query`: that of its address. */
export function publicRendering(model: Model, query: Reading['query'] = {}): Rendering {
  return renderingWithLists({ model, viewer: anonymous, path: '', query });
}
