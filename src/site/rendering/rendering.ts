import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { currentGmt, type LocalTime } from '#domain/time/local.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { MaybeAsync } from '#projections/kernel/maybe-async.ts';
import type { Model } from '#projections/reading/model.ts';
import { packed } from '#text/asking.ts';
import type { Block } from '#text/blocks.ts';
import { type Cost, costOfText, prices } from '#text/cost.ts';
import { Counters } from '#text/counters.ts';
import { makeExcerptText } from '#text/excerpt.ts';
import { isGiven, renderContent, renderExcerpt } from '#text/render.ts';
import { renderBlocks, renderParsed } from '#text/render-blocks.ts';
import { noScope, type Scope, type ServerBlock, type ServerSide } from '#text/server-blocks.ts';
import type { Surroundings } from '#text/surroundings.ts';
import { awaited, isLongText, once, presentCost, step } from '#text/suspended.ts';
import { renderLong } from './long.ts';
import { makers } from './makers.ts';
import { shortcodeRenderers } from './shortcodes/all.ts';
import { embedOwn } from './shortcodes/embed.ts';
import type { ExcerptChanges, FillLists, Here, Post, Reading, Rendering, RenderingChanges } from './types.ts';

const nobody: ReadonlySet<string> = new Set();
/** Default number of words of an excerpt. */
const usual = 55;

let asked = 0;

const noLists: FillLists = (raw, _, render) => render(raw);
const nothing: Found = { ids: [], total: 0 };
/** Maximum depth of texts within texts. */
const deepest = 12;

/**
 * Renders those texts of a response that depend on other data, in the order in which they are shown: numbering continues from text
 * to text. Long work is done in steps that yield to the event loop.
 */
export class AnswerRendering implements Rendering {
  readonly model: Model;
  readonly viewer: Viewer;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rehearsed: Reading['rehearsed'];
  readonly lists: FillLists;
  readonly counters: Counters;
  dependsOn: 'everything' | 'time' | null = null;
  readonly cost: Cost = presentCost();
  readonly #kept = new Map<string, unknown>();
  readonly #order: string[] = [];
  #depth = 0;
  #isRehearsed = false;

  constructor({ model, viewer, path, query, rehearsed, lists = noLists }: Reading, counters = new Counters()) {
    this.model = model;
    this.viewer = viewer;
    this.path = path;
    this.query = query;
    this.rehearsed = rehearsed;
    this.lists = lists;
    this.counters = counters;
  }

  content(post: Post, { within = nobody, text }: { within?: ReadonlySet<string>; text?: string } = {}): string {
    this.#begin(post);
    const raw = text ?? post.texts().content;
    if (!this.cost.takes(costOfText(raw))) return '';
    const surroundings = this.#surroundings(post, within);
    return this.lists(raw, { post, rendering: this }, (given) =>
      this.#step('content', post, () =>
        isLongText(given.length)
          ? renderLong(given, { kind: 'content', surroundings })
          : renderContent(given, surroundings),
      ),
    );
  }

  excerpt(post: Post, { length, within = nobody }: ExcerptChanges = {}): string {
    this.#begin(post);
    const { content, excerpt } = post.texts();
    if (!this.cost.takes(costOfText(content))) return '';
    const surroundings = this.#surroundings(post, within);
    const given = length === undefined ? excerpt : '';
    const options = length === undefined ? {} : { length };
    return this.#step('excerpt', post, () =>
      isGiven(given) || !isLongText(content.length)
        ? renderExcerpt(given, content, { within: surroundings, ...options })
        : renderLong(content, { kind: 'excerpt', surroundings, ...options }),
    );
  }

  /** The same as plain text: the excerpt as it was written, or the first words of the content. */
  excerptText(post: Post, { length = usual, within = nobody }: ExcerptChanges = {}): string {
    this.dependsOn ??= 'everything';
    if (post.isLocked) return 'There is no excerpt because this is a protected post.';
    const { content, excerpt } = post.texts();
    if (isGiven(excerpt)) return excerpt;
    if (!this.cost.takes(costOfText(content))) return '';
    const surroundings = this.#surroundings(post, within);
    return this.#step('words', post, () =>
      isLongText(content.length)
        ? renderLong(content, { kind: 'words', surroundings, length })
        : makeExcerptText(content, length, surroundings),
    );
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
      // Not a step: whether the result is known already depends on which steps are repeated.
      return once(`found at ${this.model.position} ${key}`, () => this.#find(key, query));
    });
    return this.cost.takes(found.ids.length * prices.row) ? found : nothing;
  }

  kept<T>(key: string, find: () => T): T {
    if (this.#kept.has(key)) return this.#kept.get(key) as T;
    const value = find();
    this.#keep(key, value);
    return value;
  }

  /** A result of the model, even if it is asynchronous; null if the model refuses. */
  later<T>(key: string, ask: () => MaybeAsync<T>): T | null {
    const value = awaited<T | Refusal>(`${key} at ${this.model.position}`, ask);
    return isRefusal(value) ? null : value;
  }

  #find(key: string, query: CollectionQuery): Found {
    return this.later(`find ${key}`, () => this.model.find(query)) ?? nothing;
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
    return { footnotes: post.footnotes, counters: this.counters, server: this.#server(post, within) };
  }

  #server(post: Post, within: ReadonlySet<string>): ServerSide {
    const here = (scope: Scope) => this.#here(post, within, scope);
    return {
      block: (block) => {
        const make = () => makers[block.name]?.(block, here(block.scope)) ?? '';
        return this.#made(checkOf(block), post, { make, twin: twinOf(block, within) });
      },
      shortcode: (word) => {
        const make = () => shortcodeRenderers[word.name]?.(word, here(noScope)) ?? '';
        return this.#made(word.name, post, { make, twin: null });
      },
      embed: (address, sizes) => embedOwn(address, sizes, here(noScope)),
    };
  }

  #here(post: Post, within: ReadonlySet<string>, scope: Scope): Here {
    return { rendering: this, post, within, inside: this.#inside(post, within, scope) };
  }

  #inside(post: Post, within: ReadonlySet<string>, scope: Scope): Here['inside'] {
    return (parts, changes: RenderingChanges = {}) => {
      const showing = changes.showing === undefined ? within : new Set([...within, changes.showing]);
      const about = changes.post ?? post;
      const surroundings = { ...this.#surroundings(about, showing), scope: changes.scope ?? scope };
      if (typeof parts === 'string') return this.#text(parts, about, surroundings);
      const blocks = parts.map((part) => (typeof part === 'string' ? { name: null, json: '', parts: [part] } : part));
      return this.#step('inside', about, () => this.#counted(renderParsed(blocks, surroundings)));
    };
  }

  #text(raw: string, post: Post, surroundings: Surroundings & { readonly server: ServerSide }): string {
    if (!this.cost.takes(costOfText(raw))) return '';
    return this.#step('inside', post, () =>
      this.#counted(
        isLongText(raw.length) ? renderLong(raw, { kind: 'blocks', surroundings }) : renderBlocks(raw, surroundings),
      ),
    );
  }

  #counted(html: string): string {
    this.cost.add(html.length);
    return html;
  }

  /** Renders a piece, or includes its twin: what was made of the same before, without numbers. */
  #made(
    what: string,
    post: Post,
    { make, twin }: { readonly make: () => string; readonly twin: string | null },
  ): string {
    const { cost, counters } = this;
    if (this.#depth >= deepest) cost.leaveOut();
    if (this.#depth >= deepest || !cost.takes(prices.piece)) return '';
    const key = `${this.#depth} ${post.id} ${twin}`;
    const known = twin === null ? undefined : this.#kept.get(key);
    if (typeof known === 'string') return cost.takes(known.length) ? known : '';
    const { total } = counters;
    this.#depth += 1;
    try {
      const html = this.#step(what, post, () => this.#counted(make()));
      if (twin !== null && counters.total === total && !cost.isCut) this.#keep(key, html);
      return html;
    } finally {
      this.#depth -= 1;
    }
  }

  #keep(key: string, value: unknown): void {
    this.#kept.set(key, value);
    this.#order.push(key);
  }

  #step(what: string, post: Post, make: () => string): string {
    const { counters } = this;
    const { total } = counters;
    const before = this.#order.length;
    const made = step(`${this.model.position} ${post.id} ${total} ${what}`, () => {
      const html = make();
      const counts = counters.total === total ? null : counters.counts();
      const kept = this.#order.slice(before).map((key) => [key, this.#kept.get(key)] as const);
      return { html, counts, kept, dependsOn: this.dependsOn };
    });
    if (made.counts !== null) counters.set(made.counts);
    if (this.#order.length === before) for (const [key, value] of made.kept) this.#keep(key, value);
    if (made.dependsOn === 'time') this.dependsOn = made.dependsOn;
    return made.html;
  }
}

function checkOf({ name, block, scope }: ServerBlock): string {
  return `${name} ${block.json} ${scope.size}`;
}

/** Names everything that a block without inner blocks depends on, within one text; null for any other. */
function twinOf({ name, block, scope }: ServerBlock, within: ReadonlySet<string>): string | null {
  if (block.parts.some((part) => typeof part !== 'string')) return null;
  return JSON.stringify([name, block.json, block.parts, packed(scope), ...within]);
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
