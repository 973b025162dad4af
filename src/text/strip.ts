import { trimText } from './blank.ts';
import { stripTags } from './strip-tags.ts';

const OPENER = /<(script|style)/i;

/** Converts markup to plain text: removes tags and comments, and scripts and style sheets with their content, and trims both ends. */
export function stripMarkup(html: string): string {
  return trimText(stripTags(dropCode(html)));
}

/** Removes `<script>` and `<style>` elements; leaves one without an end tag to `stripTags`. */
function dropCode(html: string): string {
  if (!OPENER.test(html)) return html;
  const openers = new RegExp(OPENER.source, 'gi');
  const closers = { script: /<\/script>/gi, style: /<\/style>/gi };
  const unclosed = new Set<string>();
  let kept = '';
  let from = 0;
  for (let found = openers.exec(html); found !== null; found = openers.exec(html)) {
    const name = found[1]?.toLowerCase() === 'style' ? 'style' : 'script';
    const bodyStart = html.indexOf('>', openers.lastIndex);
    if (bodyStart < 0) break;
    if (unclosed.has(name)) continue;
    const closer = closers[name];
    closer.lastIndex = bodyStart;
    if (closer.exec(html) === null) {
      unclosed.add(name);
      continue;
    }
    kept += html.slice(from, found.index);
    from = closer.lastIndex;
    openers.lastIndex = from;
  }
  return kept + html.slice(from);
}
