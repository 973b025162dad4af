import { decodeReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { escapeHtml } from './escape-html.ts';

/** In characters: longer texts are kept apart. */
const long = 1 << 16;

/** HTML in pieces, so that long contents need not be copied to be joined. */
export class Html {
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }

  get markup(): string {
    const [only = ''] = this.pieces;
    return this.pieces.length < 2 ? only : this.pieces.join('');
  }
}

export type Content = Html | string | number | null | readonly Content[];

/** HTML from a template: contents are escaped unless they are `Html`; null is empty. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  const done: string[] = [];
  let last = '';
  const add = (text: string) => {
    if (text.length < long) last += text;
    else {
      if (last !== '') done.push(last);
      done.push(text);
      last = '';
    }
    if (last.length >= long) {
      done.push(last);
      last = '';
    }
  };
  pieces.forEach((piece, index) => {
    add(piece);
    addContent(contents[index] ?? null, add);
  });
  if (last !== '') done.push(last);
  return new Html(done);
}

export function asHtml(markup: string): Html {
  return new Html([markup]);
}

/** A rendered text without its markup. */
export function plain(rendered: string): string {
  return decodeReferences(stripMarkup(rendered)).replace(/\s+/g, ' ').trim();
}

/** Replaces the first match in pieces. */
export function replaceFirst(
  pieces: readonly string[],
  pattern: RegExp,
  replace: (match: string) => string,
): readonly string[] {
  const found = pieces.findIndex((piece) => pattern.test(piece));
  return pieces.map((piece, index) => (index === found ? piece.replace(pattern, replace) : piece));
}

function addContent(content: Content, add: (text: string) => void): void {
  if (content === null) return;
  if (typeof content === 'string') add(escapeHtml(content));
  else if (typeof content === 'number') add(String(content));
  else if (content instanceof Html) content.pieces.forEach(add);
  else for (const one of content) addContent(one, add);
}
