import { BLANK, skipBlanks } from './blank.ts';

// Prefixes, not whole names, in most rules: `<p` also finds `<param`, `<li` also `<link`.
const NAMES =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|' +
  'math|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|' +
  'menu|summary';

const OPENER = new RegExp(`<(?:${NAMES})[\\s/>]`.replace('\\s', ' \\t\\n\\v\\f\\r'), 'g');
const CLOSER = new RegExp(`</(?:${NAMES})>`, 'g');
const ANY = new RegExp(`</?(?:${NAMES})`);
const WRAPPED = new RegExp(`<p>${BLANK}*(</?(?:${NAMES})[^>]*>)${BLANK}*</p>`, 'g');
const PRECEDED = new RegExp(`<p>${BLANK}*(</?(?:${NAMES})[^>]*>)`, 'g');
const RULE = new RegExp(`<hr${BLANK}*/?>`, 'g');

/** Puts an empty line before each block element and after it. */
export function isolateBlocks(html: string): string {
  return html.replace(OPENER, '\n\n$&').replace(CLOSER, '$&\n\n').replace(RULE, '$&\n\n');
}

/** Takes a block tag out of a paragraph that holds nothing else. */
export function unwrapBlocks(html: string): string {
  return html.replace(WRAPPED, '$1');
}

/** Removes a paragraph's start tag before a block tag. */
export function dropStartBeforeBlocks(html: string): string {
  return html.replace(PRECEDED, '$1');
}

/**
 * Removes `unwanted`, with the white space before it, where it follows a block tag. Walks from `>` to `>`, since a
 * pattern would look through the rest of the text for each tag that is never closed.
 */
export function dropAfterBlocks(html: string, unwanted: string): string {
  let out = '';
  let done = 0;
  let tagFrom = 0;
  for (let end = html.indexOf('>'); end >= 0; end = html.indexOf('>', tagFrom)) {
    const next = skipBlanks(html, end + 1);
    const found = html.startsWith(unwanted, next) && ANY.test(html.slice(tagFrom, end));
    tagFrom = end + 1;
    if (!found) continue;
    out += html.slice(done, end + 1);
    done = next + unwanted.length;
    tagFrom = done;
  }
  return out + html.slice(done);
}
