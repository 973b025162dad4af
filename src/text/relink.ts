import { decodeReferences, escapeAttribute } from '#blocks/references.ts';

/** Maps an address: to a new address, to null for a removed target, or to undefined for no change. */
export type Relink = (address: string) => string | null | undefined;

const TAG = /<([a-z][\w-]*)(?![\w-])((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi;
const ATTRIBUTE = /(\s)(href|src|poster|srcset)=(?:"([^"]*)"|'([^']*)')/gi;
/** Canonical links address search engines and are kept. */
const CANONICAL = /\srel=["']?canonical\b/i;
const STYLED = /url\(\s*(["']?)([^\s"'()]+)\1\s*\)/gi;
const ROOTED = /(<(?:a|area|form)\b(?:"[^"]*"|'[^']*'|[^"'<>])*?\s(?:href|action)=")(\/(?!\/)[^"]*)"/gi;
const FORM = /<form\b[\s\S]*?<\/form>/gi;

/** Rewrites the addresses of a page. A link to a removed target becomes plain text; a `<link>` to one is removed. */
export function relinked(page: string, relink: Relink): string {
  const styled = page.replace(STYLED, (whole, quote: string, address: string) => {
    const found = relink(decodeReferences(address));
    return typeof found === 'string' ? `url(${quote}${escapeAttribute(found)}${quote})` : whole;
  });
  return styled.replace(TAG, (tag, name: string, attributes: string) => {
    if (CANONICAL.test(attributes)) return tag;
    let leadsNowhere = false;
    const changed = attributes.replace(
      ATTRIBUTE,
      (whole, space: string, attribute: string, double: string | undefined, single: string | undefined) => {
        const value = decodeReferences(double ?? single ?? '');
        const found = attribute.toLowerCase() === 'srcset' ? relinkedSet(value, relink) : relink(value);
        if (found === undefined) return whole;
        if (found !== null) return `${space}${attribute}="${escapeAttribute(found)}"`;
        leadsNowhere = true;
        return attribute.toLowerCase() === 'href' ? '' : whole;
      },
    );
    if (leadsNowhere && name.toLowerCase() === 'link') return '';
    return changed === attributes ? tag : `<${name}${changed}>`;
  });
}

/** Rewrites the paths that links and forms of a page give without the address of the site. */
export function relinkedPaths(page: string, relink: (path: string) => string): string {
  return page.replace(ROOTED, (_, start: string, path: string) => `${start}${relink(path)}"`);
}

/** Removes the forms of a page, which a static site cannot process. */
export function withoutForms(page: string): string {
  // Without an end behind them, all starts would search for one.
  const ends = [...page.matchAll(/<\/form>/gi)];
  const end = ends.at(-1)?.index ?? 0;
  return page.slice(0, end + '</form>'.length).replace(FORM, '') + page.slice(end + '</form>'.length);
}

export function addressesIn(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  relinked(page, (address) => {
    found.add(address);
    return undefined;
  });
  return found;
}

function relinkedSet(set: string, relink: Relink): string | undefined {
  let isChanged = false;
  const parts = set.split(/,\s+/).map((part) => {
    const [address = '', ...rest] = part.trim().split(/\s+/);
    const found = relink(address);
    if (typeof found !== 'string') return part.trim();
    isChanged = true;
    return [found, ...rest].join(' ');
  });
  return isChanged ? parts.join(', ') : undefined;
}
