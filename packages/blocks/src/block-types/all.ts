import type { BlockType } from './block-type.ts';
import { designBlocks } from './design.ts';
import { mediaBlocks } from './media.ts';
import { entryBlocks } from './posts.ts';
import { textBlocks } from './text.ts';
import { themeBlockTypes } from './theme.ts';
import { widgetBlocks } from './widgets.ts';

export const blockTypes: ReadonlyMap<string, BlockType> = new Map(
  [textBlocks, mediaBlocks, designBlocks, widgetBlocks, themeBlockTypes, entryBlocks]
    .flat()
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((type) => [type.name, type]),
);
