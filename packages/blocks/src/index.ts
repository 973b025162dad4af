export { blockTypes } from './block-types/all.ts';
export type { BlockAttribute, BlockLayout, BlockType, Category, MarkedAttribute } from './block-types/block-type.ts';
export { attributesOf, type Block, hasBlocks, mapBlocks, normaliseBlocks, parseBlocks } from './blocks.ts';
export { type CounterName, Counters } from './counters.ts';
export { isDynamic } from './dynamic.ts';
export { filterFootnotes, filterMarkup, filterTitle } from './filter.ts';
export type { JsonMap, JsonNumber, JsonValue } from './ordered-json.ts';
export { BlockOutline, type OutlinedBlock } from './outline.ts';
export { paragraphs } from './paragraphs.ts';
export { decodeReferences, escapeAttribute } from './references.ts';
export {
  blockVersion,
  type ExcerptOptions,
  isGiven,
  renderContent,
  renderExcerpt,
  renderRevisionExcerpt,
  renderTitle,
  stripMarkup,
} from './render.ts';
export { renderBlocks, renderParsed } from './render-blocks.ts';
export { renderComment } from './render-comment.ts';
export {
  type Embed,
  noScope,
  type Scope,
  type ServerBlock,
  type ServerSide,
  scopeWithin,
  serverBlocks,
} from './server-blocks.ts';
export { type Shortcode, type ShortcodeAttributes, type ShortcodeName, shortcodeNames } from './shortcode.ts';
export { smileys } from './smileys.ts';
export { type ClassRule, type CssDeclaration, sheetText } from './supports/style-rule.ts';
export { type OwnAttributes, wrapperAttributes } from './supports/wrapper.ts';
export { alone, type Surroundings } from './surroundings.ts';
export { typography } from './typography.ts';
