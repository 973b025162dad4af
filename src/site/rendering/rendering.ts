import type { Block } from '#blocks/blocks.ts';
import { Counters } from '#blocks/counters.ts';
import { makeExcerptText } from '#blocks/excerpt.ts';
import type { NamedImage } from '#blocks/images.ts';
import { isGiven, renderContent, renderExcerpt } from '#blocks/render.ts';
import { renderBlocks, renderParsed } from '#blocks/render-blocks.ts';
import { noScope, type Scope, type ServerSide } from '#blocks/server-blocks.ts';
import type { Surroundings } from '#blocks/surroundings.ts';
import { currentGmt, type LocalTime } from '#domain/time/local.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { type Cost, costOfText, presentCost, prices } from '#text/cost.ts';
import { namedImage } from '../media/image.ts';
import { canReadMedia, mayReadPast } from '../rights.ts';
import { makers } from './makers.ts';
import { shortcodeRenderers } from './shortcodes/all.ts';
import { embedOwn } from './shortcodes/embed.ts';
import type {
  ContentOptions,
  ExcerptChanges,
  FillLists,
  Here,
  Post,
  Reading,
  Rendering,
  RenderingChanges,
} from './types.ts';

const nobody: ReadonlySet<string> = new Set();
/** Default number of words of an excerpt. */
const usual = 55;

let asked = 0;

const noLists: FillLists = (raw, _, render) => render(raw);
const noServer: ServerSide = { block: () => '', shortcode: () => '', embed: () => null, image: () => null };
const nothing: Found = { ids: [], total: 0 };
/** Maximum depth of texts within texts. */
const deepest = 12;

/**
 * Renders those texts of a response that depend on other data, in the order in which they are shown: numbering continues from text
 * to text.
 */
export class AnswerRendering implements Rendering {
  readonly model: Model;
  readonly viewer: Viewer;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rehearsed: Reading['rehearsed'];
  readonly lists: FillLists;
  readonly rules: Reading['rules'];
  readonly counters: Counters;
  dependsOn: 'everything' | 'time' | null = null;
  readonly cost: Cost = presentCost();
  readonly #kept = new Map<string, unknown>();
  /** The viewer may see how an item of their own was, but not how others were. Nobody else sees the past without rights, only an audit. */
  readonly #isClosed: boolean;
  #depth = 0;
  #isRehearsed = false;

  constructor(
    { model, viewer, path, query, rehearsed, isOfWrite = false, lists = noLists, rules }: Reading,
    counters = new Counters(),
  ) {
    this.model = model;
    this.viewer = viewer;
    this.path = path;
    this.query = query;
    this.rehearsed = rehearsed;
    this.lists = lists;
    this.rules = rules;
    this.counters = counters;
    const isPast = !isOfWrite && model.position < model.present().position;
    this.#isClosed = isPast && viewer.id !== 0 && !mayReadPast(viewer);
  }

  content(post: Post, { within = nobody, text, outline }: ContentOptions = {}): string {
    this.#begin(post);
    const raw = text ?? post.texts().content;
    if (!this.cost.takes(costOfText(raw))) return '';
    const surroundings = { ...this.#surroundings(post, within), outline };
    const lists = this.#isClosed ? noLists : this.lists;
    return lists(raw, { post, rendering: this }, (given) => renderContent(given, surroundings));
  }

  excerpt(post: Post, { length, within = nobody }: ExcerptChanges = {}): string {
    this.#begin(post);
    const { content, excerpt } = post.texts();
    if (!this.cost.takes(costOfText(content))) return '';
    const given = length === undefined ? excerpt : '';
    const options = length === undefined ? {} : { length };
    return withoutMarks(renderExcerpt(given, content, { within: this.#surroundings(post, within), ...options }));
  }

  /** The same as plain text: the excerpt as it was written, or the first words of the content. */
  excerptText(post: Post, { length = usual, within = nobody }: ExcerptChanges = {}): string {
    this.dependsOn ??= 'everything';
    if (post.isLocked) return 'There is no excerpt because this is a protected post.';
    const { content, excerpt } = post.texts();
    if (isGiven(excerpt)) return excerpt;
    if (!this.cost.takes(costOfText(content))) return '';
    return withoutMarks(makeExcerptText(content, length, this.#surroundings(post, within)));
  }

  block(block: Block, post: Post): string {
    this.dependsOn ??= 'everything';
    return this.#inside(post, nobody, noScope)([block]);
  }

  /** The current time, UTC. Makes the response depend on the time. */
  now(): LocalTime {
    this.dependsOn = 'time';
    return timeShown();
  }

  found(query: CollectionQuery): Found {
    const key = JSON.stringify(query);
    const found = this.kept(`find ${key}`, () => {
      if (!this.cost.takes(query.search === undefined ? prices.query : prices.search)) return nothing;
      return this.model.find(query);
    });
    return this.cost.takes(found.ids.length * prices.row) ? found : nothing;
  }

  kept<T>(key: string, find: () => T): T {
    if (this.#kept.has(key)) return this.#kept.get(key) as T;
    const value = find();
    this.#kept.set(key, value);
    return value;
  }

  #begin(post: Post): void {
    this.dependsOn ??= 'everything';
    if (this.rehearsed === undefined || this.#isRehearsed) return;
    this.#isRehearsed = true;
    const { standing } = this.cost;
    if (this.rehearsed('content')) this.content(post);
    if (this.rehearsed('excerpt')) this.excerpt(post);
    this.cost.forgive(standing);
  }

  #surroundings(post: Post, within: ReadonlySet<string>): Surroundings & { readonly server: ServerSide } {
    const { counters, rules } = this;
    return { footnotes: post.footnotes, counters, rules, server: this.#server(post, within) };
  }

  #server(post: Post, within: ReadonlySet<string>): ServerSide {
    if (this.#isClosed) return noServer;
    const here = (scope: Scope) => this.#here(post, within, scope);
    return {
      block: (block) => this.#made(() => makers[block.name]?.(block, here(block.scope)) ?? ''),
      shortcode: (word) => this.#made(() => shortcodeRenderers[word.name]?.(word, here(noScope)) ?? ''),
      embed: (address, sizes) => embedOwn(address, sizes, here(noScope)),
      image: (id, address) => this.#image(id, address),
    };
  }

  #image(id: number, address: string): NamedImage | null {
    const row = this.model.media(id);
    return row !== undefined && canReadMedia(this.viewer, row, this.model)
      ? namedImage(row, address, this.model)
      : null;
  }

  #here(post: Post, within: ReadonlySet<string>, scope: Scope): Here {
    return { rendering: this, post, within, inside: this.#inside(post, within, scope) };
  }

  #inside(post: Post, within: ReadonlySet<string>, scope: Scope): Here['inside'] {
    return (parts, changes: RenderingChanges = {}) => {
      const showing = changes.showing === undefined ? within : new Set([...within, changes.showing]);
      const about = changes.post ?? post;
      const surroundings = { ...this.#surroundings(about, showing), scope: changes.scope ?? scope };
      if (typeof parts === 'string') return this.#text(parts, surroundings);
      const blocks = parts.map((part) => (typeof part === 'string' ? { name: null, json: '', parts: [part] } : part));
      return this.#counted(renderParsed(blocks, surroundings));
    };
  }

  #text(raw: string, surroundings: Surroundings & { readonly server: ServerSide }): string {
    if (!this.cost.takes(costOfText(raw))) return '';
    return this.#counted(renderBlocks(raw, surroundings));
  }

  #counted(html: string): string {
    this.cost.add(html.length);
    return html;
  }

  #made(make: () => string): string {
    if (this.#depth >= deepest) this.cost.leaveOut();
    if (this.#depth >= deepest || !this.cost.takes(prices.piece)) return '';
    this.#depth += 1;
    try {
      return this.#counted(make());
    } finally {
      this.#depth -= 1;
    }
  }
}

/** Leaves out the places of values in lists of posts: an excerpt has no values for them. */
function withoutMarks(html: string): string {
  return html.includes('!#') ? html.replace(/!#\w{1,40}!#/g, '') : html;
}

/** The current time, UTC, for a text that shows it. */
function timeShown(): LocalTime {
  asked += 1;
  return currentGmt();
}

/** How often texts have shown the time. A synchronous rendering depends on the time if this has grown meanwhile. */
export function timesAsked(): number {
  return asked;
}
