import { hasWords } from './brackets/word.ts';
import { serverBlocks } from './server-blocks.ts';

/** Stands in the place of JSON for a text that is rendered each time it is shown. */
export const DYNAMIC = '*';

// Blocks that get numbers while they are rendered, and attributes for which blocks do.
const numbered = ['gallery', 'accordion', 'tabs'];
const numbering =
  /"(?:elements|position|duotone|lightbox)"|is-style-(?:outline|plain|wide|section-[1-5]|text-|post-terms)/;

const names = [...[...serverBlocks].map((name) => name.replace('core/', '')), ...numbered].join('|');
const block = new RegExp(`<!--\\s+wp:(?:core/)?(?:${names})[\\s/]`);

// An address alone on a line or in a paragraph can be one of this site's; those of well-known others cannot.
const others =
  'youtube|youtu|vimeo|twitter|x|facebook|instagram|tiktok|spotify|soundcloud|flickr|pinterest|reddit|dailymotion|ted';
const address = new RegExp(
  `(?:^|\\n|<p(?: [^>]{0,200})?>)[ \\t\\r]*https?://(?!(?:[a-z0-9-]+\\.)*(?:${others})\\.(?:com|be)/)[^\\s<>"]+[ \\t\\r]*(?:\\n|$|</p>)`,
  'i',
);

/**
 * Whether what a content shows depends on more than itself and its footnotes: on other content, on who reads, or on
 * what else is rendered for the same answer. May be true of one that does not.
 */
export function isDynamic(content: string): boolean {
  if (content !== last.content) last = { content, isDynamic: dependsOnMore(content) };
  return last.isDynamic;
}

let last = { content: '', isDynamic: false };

function dependsOnMore(content: string): boolean {
  if (content.includes('wp:') && (block.test(content) || numbering.test(content))) return true;
  return hasWords(content) || (content.includes('://') && address.test(content));
}
