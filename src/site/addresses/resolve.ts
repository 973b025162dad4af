import type { Model } from '#projections/reading/model.ts';
import { movedTo, presentAddress, type SubjectOfPage, subjectAt } from './former.ts';
import { ownPath, placeInQuery, segmentsOf } from './place.ts';

/** What an address of the site shows. */
export interface Resolved {
  readonly type: 'item' | 'term' | 'author' | 'home';
  /** Kind of the entry, `attachment`, taxonomy, or `user`; of the list at the top: `post`. */
  readonly kind: string;
  /** Null: the list at the top. */
  readonly id: number | null;
  /** Where it is now, without the page of a list. */
  readonly address: string;
  /** Page of a list. */
  readonly page: number;
  /** The asked address is another: a former one, or another way to write it. */
  readonly isMoved: boolean;
}

const PAGE = /\/page\/([1-9]\d{0,6})\/?$/;

/** What is public at an address of the site; null if nothing is, or it is no address of the site. */
export function resolveUrl(asked: string, model: Model): Resolved | null {
  const path = ownPath(asked, model);
  if (path === null) return null;
  const resolved = resolvePath(path, model);
  const { url, storeUrl } = model.site();
  const isAtStore = storeUrl !== url && `${asked}/`.startsWith(`${storeUrl}/`);
  const isElsewhere = !asked.startsWith(url) || (isAtStore && storeUrl.length > url.length);
  return resolved && { ...resolved, isMoved: resolved.isMoved || isElsewhere };
}

/** The same of a path below the address of the site, perhaps with a query. */
export function resolvePath(asked: string, model: Model): Resolved | null {
  const [whole = '', query = ''] = asked.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  const linked = placeInQuery(query, model);
  if (linked !== null) {
    return linked === undefined
      ? null
      : resolved({ type: 'item', id: linked.row.id }, { whole: `/?${query}`, page: 1, model });
  }
  const page = Number(PAGE.exec(whole)?.[1] ?? 1);
  const path = whole.replace(PAGE, '/');
  const subject = subjectAt(path, model);
  const found = subject === null ? null : resolved(subject, { whole: path, page, model });
  if (found !== null) return found;
  const { url } = model.site();
  if (segmentsOf(path).length === 0)
    return { type: 'home', kind: 'post', id: null, address: `${url}/`, page, isMoved: false };
  const moved = movedTo(path, model);
  const now = moved === null ? null : resolvePath(moved.slice(url.length), model);
  return now && { ...now, page, isMoved: true };
}

interface At {
  readonly whole: string;
  readonly page: number;
  readonly model: Model;
}

function resolved({ type, id }: SubjectOfPage, { whole, page, model }: At): Resolved | null {
  const address = presentAddress({ type, id }, model, model);
  if (address === null) return null;
  const { url } = model.site();
  return {
    type,
    kind: kindNamed(type, id, model),
    id,
    address,
    page,
    isMoved: unescaped(address) !== unescaped(`${url}${whole}`),
  };
}

/** Escaped or not, and with which digits, an address is the same: clients differ in how they write it, and would be sent on for ever. */
function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

function kindNamed(type: SubjectOfPage['type'], id: number, model: Model): string {
  if (type === 'author') return 'user';
  if (type === 'term') return model.term(id)?.taxonomy ?? '';
  return model.entry(id)?.kind ?? 'attachment';
}
