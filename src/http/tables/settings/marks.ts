import { normaliseReferences } from '#text/references.ts';

const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' } as const;
const plain: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(marks).map(([mark, reference]) => [reference, mark]),
);

/** Escapes a plain text for markup with character references. */
export function asMarkup(text: string): string {
  return normaliseReferences(text).replace(/[<>"']/g, (mark) => marks[mark as keyof typeof marks]);
}

export function asPlain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#039);/g, (reference) => plain[reference] ?? reference);
}
