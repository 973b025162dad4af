import { Output } from '#blocks/output.ts';

const PUNCTUATION = /[!-@[-`{-~\u0080-\u00bf\u00d7\u00f7\u2000-\u2bff\u2e00-\u2e7f]/g;

/** Number of words in a content without its markup. */
export function wordCount(content: string): number {
  const text = withoutMarkup(content)
    .replace(/&nbsp;|&#160;/gi, ' ')
    .replace(/&[^\s;&]+;/g, '')
    .replace(/--|\u2014/g, ' ')
    .replace(PUNCTUATION, '');
  return text.match(/\S+/g)?.length ?? 0;
}

function withoutMarkup(html: string): string {
  const out = new Output();
  let done = 0;
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', Math.max(done, start + 1))) {
    const isComment = html.startsWith('<!--', start);
    if (!isComment && !/^<\/?[a-z]/i.test(html.slice(start, start + 3))) continue;
    const closer = isComment ? '-->' : '>';
    const end = html.indexOf(closer, start);
    if (end < 0) break;
    out.add(html, done, start);
    if (!isComment) out.add('\n');
    done = end + closer.length;
  }
  out.add(html, done);
  return out.finish();
}
