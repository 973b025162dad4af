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
      folder = new URL(url).pathname.replace(/\/+$/, '');
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
