import { resultOf } from '#text/suspended.ts';

export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | null | readonly Content[];

/** HTML from a template: contents are escaped unless they are `Html`; null is empty. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  // Concatenation with `+` does not copy long contents for each template that contains them.
  return { markup: pieces.reduce((markup, piece, index) => markup + piece + markupOf(contents[index] ?? null), '') };
}

export function asHtml(markup: string): Html {
  return { markup };
}

export function escapeHtml(text: string): string {
  return resultOf('escapeHtml', text);
}

function markupOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.reduce<string>((markup, one) => markup + markupOf(one), '');
}
