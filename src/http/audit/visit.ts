import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { Model, PresentModel } from '#projections/reading/model.ts';
import { TextResults } from '#text/suspended.ts';
import { type AsOf, ownLinks } from '../pages/as-of.ts';
import { plainPageAt } from '../pages/server.ts';
import type { ThemeFonts } from '../pages/themes/fonts.ts';
import { type PageReply, redirectReply } from '../server/page-reply.ts';
import { visitRoot } from './sheet.ts';
import type { AuditStore } from './store.ts';

/** Times that a page may be made again because a list of the past had to be waited for. */
const mostWaits = 100;

interface VisitParts {
  readonly store: AuditStore;
  readonly fonts: ThemeFonts | undefined;
}

/**
 * A page as everybody saw it at a moment. `address`: `site/2026-03-01T12:00/about/?page=2`. Its links lead to pages of the same moment;
 * uploaded files are those of today.
 */
export async function visitPast(address: string, { store, fonts }: VisitParts): Promise<PageReply | Refusal> {
  const [, given = '', rest = ''] = /^site\/([^/?]*)(.*)$/s.exec(address) ?? [];
  const moment = given.replaceAll(/%3A/gi, ':');
  const then = store.past.asOf(/T\d\d:\d\d$/.test(moment) ? `${moment}:00` : moment);
  if (isRefusal(then)) return then;
  if (!rest.startsWith('/')) return redirectReply(`${moment}/${rest}`);
  const [event] = then.position === 0 ? [] : store.log.read({ from: then.position, limit: 1 });
  const at = event?.at ?? null;
  const { url, configuredUrl } = then.site();
  const now = store.reader.site().url;
  const asOf: AsOf = {
    ...{ position: then.position, at },
    formerly: [...new Set([url, configuredUrl, now])].filter((one) => one !== ''),
    address: () => `${now}/cms-audit/${visitRoot}${moment}`,
    present: { address: now, paths: ['/uploads/', '/fonts/', '/avatars/', `/${then.site().names.root}/`] },
  };
  const clock = () => Date.parse(at ?? '') || 0;
  const counted = await then.counted();
  if (isRefusal(counted)) return counted;
  const made = await waiting(counted, (model) =>
    plainPageAt(rest, { model: () => model, clock, fonts, asOf, takesComments: false }),
  );
  if (isRefusal(made)) return made;
  const { Location, ...others } = made.headers;
  const headers = { ...others, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
  const folder = new URL(now).pathname.replace(/\/+$/, '');
  const body = made.body.map((piece) =>
    piece.replace(ROOTED, (_, start: string, path: string) => {
      const below = path.startsWith(`${folder}/`) ? path.slice(folder.length) : path;
      return `${start}${asOf.address()}${below}"`;
    }),
  );
  return {
    ...made,
    body,
    headers: Location === undefined ? headers : { ...headers, Location: ownLinks(Location, asOf) },
  };
}

/** Links and forms that name a path of the site without its address. */
const ROOTED = /(<(?:a|area|form)\b[^>]*?\s(?:href|action)=")(\/(?!\/)[^"]*)"/gi;

class Awaited extends Error {
  readonly found: Promise<Found | Refusal>;

  constructor(found: Promise<Found | Refusal>) {
    super('a list of the past has to be waited for');
    this.found = found;
  }
}

class Unfound extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Makes a page from a model whose lists may have to be waited for: as often as it needs another one. */
async function waiting(past: Model, make: (model: Model) => PageReply): Promise<PageReply | Refusal> {
  const known: Found[] = [];
  for (let tries = 0; tries < mostWaits; tries += 1) {
    let asked = 0;
    const find = (query: CollectionQuery): Found => {
      const found = known[asked] ?? past.find(query);
      if (found instanceof Promise) throw new Awaited(found);
      if (isRefusal(found)) throw new Unfound(found);
      known[asked] = found;
      asked += 1;
      return found;
    };
    try {
      return new TextResults().within(() => make(withFind(past, find)));
    } catch (error) {
      if (error instanceof Unfound) return error.refusal;
      if (!(error instanceof Awaited)) throw error;
      const found = await error.found;
      if (isRefusal(found)) return found;
      known[asked] = found;
    }
  }
  throw new Error('a page of the past asks for too many lists');
}

/** A model of the past whose pages ask for lists of the past, too, where they ask the present for what it alone can list. */
function withFind(past: Model, find: PresentModel['find']): Model {
  const present = substituting(past.present(), { find });
  return substituting(past, { find, present: () => present });
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
