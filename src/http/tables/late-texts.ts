import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import { renderingWithLists } from '#site/post-lists/in-contents.ts';
import { noPost, postOf } from '#site/rendering/posts.ts';
import { revisionPost } from '#site/rendering/revision.ts';
import type { Post, Rendering } from '#site/rendering/types.ts';
import type { GroupedText, LateText } from '../engine/late-texts.ts';

/** Makes the late texts of a kept answer again; `model`: the state that its write left. */
export function renderAgain(model: Model, viewer: Viewer, texts: readonly GroupedText[]): readonly string[] {
  const renderings = new Map<number, Rendering>();
  const renderingFor = ({ group, path }: GroupedText) => {
    const rehearsed = (field: string) => texts.some((text) => text.group === group && text['what'] === field);
    const rendering =
      renderings.get(group) ?? renderingWithLists({ model, viewer, path: String(path), query: {}, rehearsed });
    renderings.set(group, rendering);
    return rendering;
  };
  return texts.map((text) => {
    const rendering = renderingFor(text);
    const post = postNamed(text, model);
    if (text['what'] === 'content') return rendering.content(post);
    return rendering.excerpt(post, text['length'] === undefined ? {} : { length: Number(text['length']) });
  });
}

function postNamed({ entry, revision }: LateText, model: Model): Post {
  if (revision !== undefined) {
    const row = model.revision(Number(revision));
    return row === undefined ? noPost : revisionPost(shownRevision(row, model), model);
  }
  const row = model.entry(Number(entry));
  return row === undefined ? noPost : postOf(row, model);
}
