export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | null | readonly Content[];

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

/** HTML from a template: what is filled in is escaped unless it is HTML itself; null is nothing. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { markup: pieces.map((piece, index) => piece + markupOf(contents[index] ?? null)).join('') };
}

export function asHtml(markup: string): Html {
  return { markup };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => NAMES[char] ?? char);
}

function markupOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return escapeHtml(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(markupOf).join('');
}
