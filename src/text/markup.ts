import { addClasses, nextTag } from './tags.ts';

/** Markup of a block that is rendered, in pieces, so that what is around it need not be copied. */
export interface Markup {
  readonly parts: readonly (string | Markup)[];
  /** Classes for its first tag, where that is not among its own strings. */
  readonly classes: readonly string[];
}

interface Writing {
  out: string;
  /** A number stands for the end of a block: how many classes were waiting when it began. */
  readonly rest: (string | Markup | number)[];
  /** Classes for the first tag that comes. */
  waiting: string[];
}

/** The text of markup; classes go to the first tag that comes within the block that they are for. */
export function textOf(markup: Markup): string {
  const writing: Writing = { out: '', rest: [markup], waiting: [] };
  // A stack, because blocks can be nested deeper than calls can.
  for (let part = writing.rest.pop(); part !== undefined; part = writing.rest.pop()) {
    if (typeof part === 'number') writing.waiting.length = Math.min(writing.waiting.length, part);
    else if (typeof part === 'string') writeString(writing, part);
    else open(writing, part);
  }
  return writing.out;
}

function open({ rest, waiting }: Writing, { parts, classes }: Markup): void {
  if (classes.length > 0) {
    rest.push(waiting.length);
    for (const name of classes.toReversed()) waiting.push(name);
  }
  for (let i = parts.length - 1; i >= 0; i--) rest.push(parts[i] ?? '');
}

function writeString(writing: Writing, html: string): void {
  const tag = writing.waiting.length === 0 ? null : nextTag(html, 0);
  if (tag === null) {
    writing.out += html;
    return;
  }
  writing.out += addClasses(html, tag, writing.waiting.toReversed());
  writing.waiting = [];
}
