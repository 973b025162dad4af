import { decodeReferences, escapeAttribute } from './references.ts';

/** Where an address of a page leads: another address, nowhere (null), or where it did (undefined). */
export type Relink = (address: string) => string | null | undefined;

const TAG = /<([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi;
const ATTRIBUTE = /(\s)(href|src|poster|srcset)=(?:"([^"]*)"|'([^']*)')/gi;
/** What search engines are told of is no link. */
const CANONICAL = /\srel=["']?canonical\b/i;
const STYLED = /url\(\s*(["']?)([^"')]+)\1\s*\)/gi;
const FORM = /<form\b[\s\S]*?<\/form>/gi;

/** A page with other addresses. A link that leads nowhere becomes plain words, an element of the head goes. */
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

/** A page without its forms, which nobody would answer. */
export function withoutForms(page: string): string {
  return page.replace(FORM, '');
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
