import { backOverBlanks, skipBlanks } from './blank.ts';

interface Rule {
  /** Start of a tag, which the next character of `ends` closes. */
  readonly opener: RegExp;
  readonly ends: string;
  readonly before: boolean;
  readonly after: boolean;
}

const OPTIONS: readonly Rule[] = [
  { opener: /<option/g, ends: '', before: true, after: false },
  { opener: /<\/option>/g, ends: '', before: false, after: true },
];

const OBJECTS: readonly Rule[] = [
  { opener: /<object/g, ends: '>', before: false, after: true },
  { opener: /<\/object>/g, ends: '', before: true, after: false },
  { opener: /<\/?(?:param|embed)/g, ends: '>', before: true, after: true },
];

const MEDIA: readonly Rule[] = [
  { opener: /[<[](?:audio|video)/g, ends: '>]', before: false, after: true },
  { opener: /[<[]\/(?:audio|video)[>\]]/g, ends: '', before: true, after: false },
  { opener: /<(?:source|track)/g, ends: '>', before: true, after: true },
];

const CAPTIONS: readonly Rule[] = [
  { opener: /<figcaption/g, ends: '>', before: true, after: false },
  { opener: /<\/figcaption>/g, ends: '', before: false, after: true },
];

/** Removes white space around elements in selections, objects, media and figures, so that no paragraphs are made of it. */
export function collapseEmbedded(html: string): string {
  let text = html;
  if (text.includes('<option')) text = collapse(text, OPTIONS);
  if (text.includes('</object>')) text = collapse(text, OBJECTS);
  if (text.includes('<source') || text.includes('<track')) text = collapse(text, MEDIA);
  return text.includes('<figcaption') ? collapse(text, CAPTIONS) : text;
}

function collapse(html: string, rules: readonly Rule[]): string {
  return rules.reduce(collapseRule, html);
}

function collapseRule(html: string, { opener, ends, before, after }: Rule): string {
  let out = '';
  let done = 0;
  opener.lastIndex = 0;
  for (let found = opener.exec(html); found !== null; found = opener.exec(html)) {
    const stop = ends === '' ? opener.lastIndex : closeOf(html, opener.lastIndex, ends);
    if (stop < 0) break;
    out +=
      html.slice(done, before ? backOverBlanks(html, found.index, done) : found.index) + html.slice(found.index, stop);
    done = after ? skipBlanks(html, stop) : stop;
    opener.lastIndex = done;
  }
  return out + html.slice(done);
}

function closeOf(html: string, from: number, ends: string): number {
  for (let at = from; at < html.length; at++) if (ends.includes(html.charAt(at))) return at + 1;
  return -1;
}
