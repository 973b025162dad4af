import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import { captionPost } from '#site/items/item.ts';
import { renderingWithLists } from '#site/post-lists/in-contents.ts';
import { mediaPost, noPost, postOf, revisionPost } from '#site/rendering/posts.ts';
import type { ExcerptChanges, Post, Rendering, TextRendering } from '#site/rendering/types.ts';
import type { GroupedText, LateText, LateTexts } from '../engine/late-texts.ts';
import type { Call } from '../engine/types.ts';

type Ask = (rendering: Rendering) => string;

export function renderingOf({ method, model, viewer, path, query, wants }: Call<Model>): Rendering {
  const rehearsed = method === 'GET' || method === 'DELETE' ? undefined : wants;
  return renderingWithLists({ model, viewer, path, query, rehearsed });
}

/** The rendering for what a write shows: after the commit, unless the write has no session. */
export function lateRenderingOf(call: Call<Model>): TextRendering {
  return call.late === undefined ? renderingOf(call) : new LateRendering(call, call.late);
}

/** Renders the texts of entries, media items and revisions in the answer to a write after its commit. */
class LateRendering implements TextRendering {
  readonly dependsOn = null;
  readonly isLate = true;
  readonly #texts: LateText[] = [];
  readonly #asks: Ask[] = [];
  readonly #path: string;
  readonly #nameOf: (text: number) => string;

  constructor({ path, query, viewer, wants }: Call<Model>, late: LateTexts) {
    this.#path = path;
    this.#nameOf = late.add({
      texts: this.#texts,
      make: (model) => {
        const left = { model: model as Model, viewer, path, query, rehearsed: wants, isOfWrite: true };
        const rendering = renderingWithLists(left);
        return this.#asks.map((ask) => ask(rendering));
      },
    });
  }

  content(post: Post): string {
    const asked = asRead(post);
    return this.#later({ what: 'content', ...nameOf(post) }, (rendering) => rendering.content(asked));
  }

  excerpt(post: Post, { length }: Pick<ExcerptChanges, 'length'> = {}): string {
    const asked = asRead(post);
    const changes = length === undefined ? {} : { length };
    return this.#later({ what: 'excerpt', ...nameOf(post), ...changes }, (rendering) =>
      rendering.excerpt(asked, changes),
    );
  }

  #later(text: LateText, ask: Ask): string {
    this.#texts.push({ path: this.#path, ...text });
    return this.#nameOf(this.#asks.push(ask) - 1);
  }
}

function nameOf({ id, row }: Post): LateText {
  return row === undefined || row.id === id ? { entry: id } : { revision: id };
}

/** A post with its texts as the session shows them now. */
function asRead(post: Post): Post {
  const texts = post.texts();
  return { ...post, texts: () => texts };
}

/** Makes the late texts of a kept answer again; `model`: the state that its write left. */
export function renderAgain(model: Model, viewer: Viewer, texts: readonly GroupedText[]): readonly string[] {
  const renderings = new Map<number, Rendering>();
  const renderingFor = ({ group, path }: GroupedText) => {
    const rehearsed = (field: string) => texts.some((text) => text.group === group && text['what'] === field);
    const rendering =
      renderings.get(group) ??
      renderingWithLists({ model, viewer, path: String(path), query: {}, rehearsed, isOfWrite: true });
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

function postNamed({ entry, revision, what }: LateText, model: Model): Post {
  if (revision !== undefined) {
    const row = model.revision(Number(revision));
    return row === undefined ? noPost : revisionPost(shownRevision(row, model), model);
  }
  const row = model.entry(Number(entry));
  if (row !== undefined) return postOf(row, model);
  const item = model.media(Number(entry));
  if (item === undefined) return noPost;
  return what === 'excerpt' ? captionPost(item, model) : mediaPost(item);
}
