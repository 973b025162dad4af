import { crawlersPaused } from '#catalogue/plugins.ts';
import { kindOf, page, post } from '#domain/entry/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { collectionUrl, permalink } from '#site/addresses/items.ts';
import { published } from '#site/entries/newest.ts';
import { type CrawlerName, type CrawlerState, crawlers } from '../../plugin/server.ts';

export interface Crawler {
  /** Set by the app. Each function makes one answer ahead; false if it was cached already. */
  makers: Readonly<Record<CrawlerName, (path: string) => boolean>> | null;
  note(): void;
  /** Makes one answer; false if there is nothing to do now. */
  step(): boolean;
  states(): readonly CrawlerState[];
}

/** Milliseconds without a request after which the node counts as idle. */
const QUIET = 1000;
/** The same without a commit: each outdates every page, so pages made in a pause between saves are usually made in vain. */
const SETTLED = 10_000;
/** Recently changed entries of each kind. */
const LATEST = 20;

/** `clock`: monotonic, in milliseconds. */
export function createCrawler(model: () => Model, clock: () => number): Crawler {
  const made: Record<CrawlerName, number> = { pages: 0, answers: 0 };
  let busyAt = clock();
  let changedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = busyAt;
  let position = model().position;
  let rest: Iterator<Place> | null = null;
  const self: Crawler = {
    makers: null,
    note: () => {
      busyAt = clock();
    },
    step: () => {
      const shown = model();
      if (shown.position !== position) {
        position = shown.position;
        // The change happened at some time after the last step.
        changedAt = lookedAt;
        rest = null;
      }
      lookedAt = clock();
      if (self.makers === null || lookedAt - busyAt < QUIET || lookedAt - changedAt < SETTLED) return false;
      rest ??= placesOf(shown, pausedIn(shown));
      const next = rest.next();
      if (next.done === true) return false;
      const { name, path } = next.value;
      if (self.makers[name](path)) made[name] += 1;
      return true;
    },
    states: () => {
      const paused = pausedIn(model());
      return crawlers.map((name, id) => ({ id, name, active: !paused.has(name), made: made[name] }));
    },
  };
  return self;
}

interface Place {
  readonly name: CrawlerName;
  readonly path: string;
}

function pausedIn(model: Model): ReadonlySet<CrawlerName> {
  const paused = crawlersPaused({ document: (area, key) => model.plugin(area, key) });
  return new Set(crawlers.filter((_, id) => paused.includes(id)));
}

function* placesOf(model: Model, paused: ReadonlySet<CrawlerName>): Generator<Place> {
  const { url, storeUrl } = model.site();
  const below = (name: CrawlerName, address: string): Place => {
    const start = address.startsWith(storeUrl) ? storeUrl : url;
    return { name, path: address.slice(start.length) };
  };
  const base = namespaceUrl(model.site(), CONTENT);
  const lists = ['posts', 'pages', 'media', 'categories', 'tags'].map((name) => `${base}/${name}`);
  const latest = [post, page].flatMap(({ name }) =>
    published({ kind: name, orderBy: 'modified', limit: LATEST }, model).ids.flatMap((id) => model.entry(id) ?? []),
  );
  const changed = latest.sort((a, b) => (a.modifiedGmt < b.modifiedGmt ? 1 : -1));
  const all = [
    below('pages', `${url}/`),
    ...lists.map((address) => below('answers', address)),
    ...changed.flatMap((row) => [
      below('pages', permalink(row, model)),
      below('answers', `${collectionUrl(kindOf(row.kind), model)}/${row.id}`),
    ]),
  ];
  yield* all.filter(({ name }) => !paused.has(name));
}
