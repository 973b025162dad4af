import { normaliseReferences } from './references.ts';

/** Text as it stands between tags or in an attribute; references that it holds stay. */
export function escapeText(text: string): string {
  return normaliseReferences(text)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}
