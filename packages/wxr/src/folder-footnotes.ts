import { createHash } from 'node:crypto';
import { markdownToInline } from './folder-markdown.ts';

/** A text without the notes that stood below it, and the notes as editors keep them. */
export interface WithFootnotes {
  readonly body: string;
  /** JSON; '': none. */
  readonly footnotes: string;
  /** Labels of those that are more than a paragraph, or are nowhere: they stand as they are. */
  readonly untold: readonly string[];
}

const CODE = /(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)/m;
const NOTE = /^\[\^([^\]\s]{1,100})\]:[ \t]*([^\n]+(?:\n(?!\[\^)[^\n]*\S[^\n]*)*)(\n[ \t]*\n(?: {2,}|\t)\S)?/gm;
const MARK = /\[\^([^\]\s]{1,100})\](?!:)/g;

/** `[^1]` and `[^1]: A note` of Markdown. `key`: tells its notes from those of other texts. */
export function takeFootnotes(body: string, key: string, mapped: (address: string) => string): WithFootnotes {
  const notes = new Map<string, string>();
  const untold = new Set<string>();
  const parts = body.split(CODE).map((part, i) =>
    i % 2 === 1
      ? part
      : part.replace(NOTE, (whole, label: string, text: string, more: string | undefined) => {
          if (more !== undefined) untold.add(label);
          if (more !== undefined) return whole;
          notes.set(label, text.replace(/\n\s*/g, ' '));
          return '';
        }),
  );
  const order: string[] = [];
  const marked = parts.map((part, i) =>
    i % 2 === 1
      ? part
      : part.replace(MARK, (whole, label: string) => {
          if (!notes.has(label)) untold.add(label);
          if (!notes.has(label)) return whole;
          const isNew = !order.includes(label);
          if (isNew) order.push(label);
          const [id, number] = [idOf(key, label), order.indexOf(label) + 1];
          const own = isNew ? ` id="${id}-link"` : '';
          return `<sup data-fn="${id}" class="fn"><a href="#${id}"${own}>${number}</a></sup>`;
        }),
  );
  if (order.length === 0) return { body: marked.join(''), footnotes: '', untold: [...untold] };
  const found = order.map((label) => ({
    content: markdownToInline(notes.get(label) ?? '', mapped),
    id: idOf(key, label),
  }));
  return {
    body: `${marked.join('').trimEnd()}\n\n<!-- wp:footnotes /-->`,
    footnotes: JSON.stringify(found),
    untold: [...untold],
  };
}

function idOf(key: string, label: string): string {
  const hash = createHash('sha256').update(`${key}\n${label}`).digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-');
}
