import type { Model } from '#projections/reading/model.ts';
import { renderingWithLists } from '#site/post-lists/in-contents.ts';
import type { ExcerptChanges, Post, Rendering, TextRendering } from '#site/rendering/types.ts';
import type { LateText, LateTexts } from '../engine/late-texts.ts';
import type { Call } from '../engine/types.ts';

type Ask = (rendering: Rendering) => string;

/** Renders the texts of entries and revisions in the answer to a write after its commit. */
export class LateRendering implements TextRendering {
  readonly dependsOn = null;
  readonly #texts: LateText[] = [];
  readonly #asks: Ask[] = [];
  readonly #path: string;
  readonly #nameOf: (text: number) => string;

  constructor({ path, query, viewer, wants }: Call<Model>, late: LateTexts) {
    this.#path = path;
    this.#nameOf = late.add({
      texts: this.#texts,
      make: (model) => {
        const rendering = renderingWithLists({ model: model as Model, viewer, path, query, rehearsed: wants });
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
