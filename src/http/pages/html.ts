import { worked } from '#text/elsewhere.ts';

export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | null | readonly Content[];

/** HTML from a template: what is filled in is escaped unless it is HTML itself; null is nothing. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  // Joined by an operator a long content is not copied for each template that it is in.
  return { markup: pieces.reduce((markup, piece, index) => markup + piece + markupOf(contents[index] ?? null), '') };
}

export function asHtml(markup: string): Html {
  return { markup };
}

export function escapeHtml(text: string): string {
  return worked('escapeHtml', text);
}

function markupOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.reduce<string>((markup, one) => markup + markupOf(one), '');
}
