import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { Counters } from '#text/counters.ts';
import { renderContent, renderExcerpt } from '#text/render.ts';
import { renderParsed } from '#text/render-blocks.ts';
import { noScope, type Scope, type ServerSide } from '#text/server-blocks.ts';
import type { Surroundings } from '#text/surroundings.ts';
import { makers } from './makers.ts';
import type { Changes, Here, Post } from './types.ts';
import { wordMakers } from './words/all.ts';
import { embedOwn } from './words/embed.ts';

/** For whom texts are rendered, and in which answer. */
export interface Reading {
  readonly model: Model;
  readonly viewer: Viewer;
  /** Path of the request, with that of the route root. */
  readonly path: string;
  /** Parameters of its query string. */
  readonly query: Readonly<Record<string, unknown>>;
  /**
   * For the answer to a write: which of its fields are wanted. The numbers in it go on from those that the same texts
   * would have got before.
   */
  readonly rehearsed?: ((field: string) => boolean) | undefined;
}

/** Blocks and words made for one answer at most; what comes later shows nothing. */
const mostMade = 20_000;
/** Characters of what is made for one answer, from which on nothing more is. */
const mostText = 8_000_000;
/** Texts within texts. */
const deepest = 12;

const nobody: ReadonlySet<string> = new Set();

/**
 * Renders the texts of one answer that depend on more than themselves, in the order in which they are shown: numbers go
 * on from text to text. What is made is bounded, whatever texts say.
 */
export class Rendering implements Reading {
  readonly model: Model;
  readonly viewer: Viewer;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rehearsed: Reading['rehearsed'];
  readonly counters: Counters;
  /** Something was rendered, so that the answer depends on everything. */
  hasRendered = false;
  #count = 0;
  #length = 0;
  #depth = 0;
  #isRehearsed = false;

  constructor({ model, viewer, path, query, rehearsed }: Reading, counters = new Counters()) {
    this.model = model;
    this.viewer = viewer;
    this.path = path;
    this.query = query;
    this.rehearsed = rehearsed;
    this.counters = counters;
  }

  /** The content of a post. */
  content(post: Post, within = nobody): string {
    this.#begin(post);
    return renderContent(post.texts().content, this.#surroundings(post, within));
  }

  /** The excerpt of a post, which is made of its content where none is given. */
  excerpt(post: Post, { length, within = nobody }: { length?: number; within?: ReadonlySet<string> } = {}): string {
    this.#begin(post);
    const { content, excerpt } = post.texts();
    return renderExcerpt(length === undefined ? excerpt : '', content, {
      within: this.#surroundings(post, within),
      ...(length === undefined ? {} : { length }),
    });
  }

  #begin(post: Post): void {
    this.hasRendered = true;
    if (this.rehearsed === undefined || this.#isRehearsed) return;
    this.#isRehearsed = true;
    if (this.rehearsed('content')) this.content(post);
    if (this.rehearsed('excerpt')) this.excerpt(post);
  }

  #surroundings(post: Post, within: ReadonlySet<string>): Surroundings {
    return { footnotes: post.footnotes, counters: this.counters, server: this.#server(post, within) };
  }

  #server(post: Post, within: ReadonlySet<string>): ServerSide {
    return {
      block: (block) => this.#bounded(() => makers[block.name]?.(block, this.#here(post, within, block.scope)) ?? ''),
      word: (word) => this.#bounded(() => wordMakers[word.name]?.(word, this.#here(post, within, noScope)) ?? ''),
      embed: (address, sizes) => embedOwn(address, sizes, this.#here(post, within, noScope)),
    };
  }

  #here(post: Post, within: ReadonlySet<string>, scope: Scope): Here {
    return { rendering: this, post, within, inside: this.#inside(post, within, scope) };
  }

  #inside(post: Post, within: ReadonlySet<string>, scope: Scope): Here['inside'] {
    return (parts, changes: Changes = {}) => {
      const showing = changes.showing === undefined ? within : new Set([...within, changes.showing]);
      const about = changes.post ?? post;
      const blocks = parts.map((part) => (typeof part === 'string' ? { name: null, json: '', parts: [part] } : part));
      return renderParsed(blocks, { ...this.#surroundings(about, showing), scope: changes.scope ?? scope });
    };
  }

  #bounded(make: () => string): string {
    this.#count += 1;
    if (this.#count > mostMade || this.#length > mostText || this.#depth >= deepest) return '';
    this.#depth += 1;
    try {
      const made = make();
      this.#length += made.length;
      return made;
    } finally {
      this.#depth -= 1;
    }
  }
}
