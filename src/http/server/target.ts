import { parseQuery } from '#text/query-string.ts';

export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/**
 * Reads request targets: everything below the route root, and `rest_route=/path` on the site's own root or `/index.php`. Null for
 * all others.
 */
export function createTargetReader(root: string): (url: string) => RequestTarget | null {
  return (url) => {
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    if (path.startsWith(root)) {
      const below = path.slice(root.length);
      if (below === '') return { path: '/', query };
      return below.startsWith('/') ? { path: decoded(below), query } : null;
    }
    const isSite = path === '/' || path === '/index.php';
    return isSite && query.includes('rest_route=') ? routeInQuery(query) : null;
  };
}

function routeInQuery(query: string): RequestTarget | null {
  const named = parseQuery(query)['rest_route'];
  if (typeof named !== 'string' || !named.startsWith('/')) return null;
  const rest = query.split('&').filter((pair) => !pair.startsWith('rest_route='));
  return { path: named, query: rest.join('&') };
}

/** Ids may contain slashes, which clients encode. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Reads request targets of a site whose address has a folder (`https://example.org/blog`); returns the part below it. Proxies may
 * pass the folder on or remove it, so a target without the folder is returned as it is.
 */
export function createFolderReader(siteUrl: () => string): (target: string) => string {
  let known = '';
  let folder = '';
  return (target) => {
    const url = siteUrl();
    if (url !== known) {
      known = url;
      folder = new URL(url).pathname.replace(/(?<!\/)\/+$/, '');
    }
    return folder === '' ? target : below(folder, target);
  };
}

/** A request target without the origin that proxies may put before it (RFC 9112, section 3.2.2). */
export function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

function below(folder: string, target: string): string {
  if (!target.startsWith(folder)) return target;
  const rest = target.slice(folder.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target;
}
