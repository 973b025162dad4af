import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { Cost, withCost } from '#text/cost.ts';
import { relinkedPaths } from '#text/relink.ts';
import type { ReaderPool } from '../engine/pool.ts';
import { type AsOf, ownLinks } from '../pages/as-of.ts';
import { plainPageAt } from '../pages/server.ts';
import type { ThemeFonts } from '../pages/themes/fonts.ts';
import { type PageReply, redirectReply } from '../server/page-reply.ts';
import { visitRoot } from './sheet.ts';
import type { AuditStore } from './store.ts';

/** Makes pages of the past in another thread. */
export interface Visits extends Pick<ReaderPool, 'isReady' | 'wake'> {
  /** Null: it has to be made here. */
  visit(address: string): Promise<PageReply | Refusal | null>;
}

export type Visited = Pick<AuditStore, 'past' | 'log' | 'reader'>;

interface VisitParts {
  readonly store: Visited;
  readonly fonts: ThemeFonts | undefined;
}

/**
 * A page as everybody saw it at a moment. `address`: `site/2026-03-01T12:00/about/?page=2`. Its links lead to pages of the same moment;
 * uploaded files are those of today.
 */
export function visitPast(address: string, { store, fonts }: VisitParts): PageReply | Refusal {
  const [, given = '', rest = ''] = /^site\/([^/?]*)(.*)/s.exec(address) ?? [];
  const moment = given.replaceAll(/%3A/gi, ':');
  const then = store.past.asOf(moment);
  if (isRefusal(then)) return then;
  if (!rest.startsWith('/')) return redirectReply(`${moment}/${rest}`);
  const [event] = then.position === 0 ? [] : store.log.read({ from: then.position, limit: 1 });
  const at = event?.at ?? null;
  const { url, configuredUrl } = then.site();
  const { url: site, storeUrl: now } = store.reader.site();
  const asOf: AsOf = {
    position: then.position,
    at,
    asked: moment,
    formerly: [...new Set([url, configuredUrl, site, now])].filter((one) => one !== ''),
    address: () => `${now}/cms-audit/${visitRoot}${moment}`,
    present: { address: now, paths: ['/uploads/', '/fonts/', '/avatars/', `/${then.site().names.root}/`] },
  };
  const clock = () => Date.parse(at ?? '') || 0;
  const model = () => withItsLists(then);
  const made = withCost(new Cost(), () => plainPageAt(rest, { model, clock, fonts, asOf, takesComments: false }));
  const { Location, ...others } = made.headers;
  const headers = { ...others, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
  const folder = new URL(now).pathname.replace(/(?<!\/)\/+$/, '');
  const body = made.body.map((piece) =>
    relinkedPaths(piece, (path) => {
      const below = path.startsWith(`${folder}/`) ? path.slice(folder.length) : path;
      return `${asOf.address()}${below}`;
    }),
  );
  return {
    ...made,
    body,
    headers: Location === undefined ? headers : { ...headers, Location: ownLinks(Location, asOf) },
  };
}

/** A model of the past whose pages ask for lists of the past, too, where they ask the present for what it alone can list. */
function withItsLists(past: Model): Model {
  const present = substituting(past.present(), { find: (query: CollectionQuery) => past.find(query) });
  return substituting(past, { present: () => present });
}

function substituting<T extends object>(target: T, own: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(object, name) {
      if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
