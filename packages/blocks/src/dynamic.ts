import { queryBlocksIn } from './query-blocks.ts';
import { serverBlocks } from './server-blocks.ts';
import { hasShortcodes } from './shortcode.ts';

/** Replaces the JSON of a text that must be rendered for each response. */
export const DYNAMIC = '*';

// Blocks, and attributes of blocks, that receive numbers during rendering.
const numbered = ['gallery', 'accordion', 'tabs'];
const numbering =
  /"(?:elements|position|duotone|lightbox)"|is-style-(?:outline|plain|wide|section-[1-5]|text-|post-terms)/;

const names = [...[...serverBlocks].map((name) => name.replace('core/', '')), ...numbered].join('|');
const block = new RegExp(`<!--\\s+/?wp:(?:core/)?(?:${names})[\\s/]`);

// An address alone on a line or in a paragraph may belong to this site; those of well-known providers do not.
const others =
  'youtube|youtu|vimeo|twitter|x|facebook|instagram|tiktok|spotify|soundcloud|flickr|pinterest|reddit|dailymotion|ted';
const address = new RegExp(
  `(?:^|\\n|<p(?: [^>]{0,200})?>)[ \\t\\r]*https?://(?!(?:[a-z0-9-]+\\.)*(?:${others})\\.(?:com|be)/)[^\\s<>"]+[ \\t\\r]*(?:\\n|$|</p>)`,
  'i',
);

/**
 * Whether rendering a content depends on more than itself and its footnotes: on other content, the reader, or other texts in the same
 * response. May report false positives.
 */
export function isDynamic(content: string): boolean {
  if (queryBlocksIn(content).length > 0) return true;
  if (content.includes('wp:') && (block.test(content) || numbering.test(content))) return true;
  return hasShortcodes(content) || (content.includes('://') && address.test(content));
}
