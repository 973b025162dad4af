import { defineArea, defineEvent, type EventOf, limited, ofTheSite, z } from 'palimpsest/plugin';

const names = { block: limited.word.describe('name of the kind of block'), slug: limited.word };

const BlockStyleSaved = defineEvent({
  type: 'BlockStyleSaved',
  summary: 'A style for one kind of block was saved.',
  schema: z.object({
    ...names,
    name: limited.name,
    data: limited.document.describe("the style, in the editor's format"),
    save: limited.document.describe('further data of the editor'),
  }),
  sealed: ['name', 'data', 'save'],
  erased: { name: '', data: '', save: '' },
  subjects: ofTheSite,
});

const BlockStyleDeleted = defineEvent({
  type: 'BlockStyleDeleted',
  summary: 'A style of blocks was deleted.',
  schema: z.object(names),
});

type StyleEvent = EventOf<typeof BlockStyleSaved> | EventOf<typeof BlockStyleDeleted>;
type SavedStyle = EventOf<typeof BlockStyleSaved>['data'];

/** Styles by type of block, in the order in which they were first saved. */
export interface BlockStyles {
  readonly blocks: readonly { readonly block: string; readonly styles: readonly Omit<SavedStyle, 'block'>[] }[];
}

const noStyles: BlockStyles = { blocks: [] };

export const blockStyles = defineArea({
  name: 'builder-styles',
  events: [BlockStyleSaved, BlockStyleDeleted],
  empty: noStyles,
  evolve: ({ blocks }, event) => ({
    blocks: event.type === 'BlockStyleSaved' ? saved(blocks, event.data) : without(blocks, event.data),
  }),
});

/** Maximum total length of all styles in characters: they are stored and sent together. */
export const maxStyled = 4 * 1024 * 1024;

/** Saves or replaces a style by its slug, if there is room; no events if it is unchanged. */
export function saveBlockStyle(styles: BlockStyles, style: SavedStyle): readonly StyleEvent[] | 'no room' {
  const before = find(styles, style);
  if (before?.name === style.name && before.data === style.data && before.save === style.save) return [];
  const sizes = styles.blocks.flatMap(({ block, styles: own }) => own.map((one) => sizeOf({ block, ...one })));
  const growth = sizeOf(style) - (before === undefined ? 0 : sizeOf({ block: style.block, ...before }));
  const size = sizes.reduce((sum, one) => sum + one, growth);
  return growth > 0 && size > maxStyled ? 'no room' : [{ type: 'BlockStyleSaved', data: style }];
}

export function deleteBlockStyle(styles: BlockStyles, { block, slug }: StyleName): readonly StyleEvent[] {
  return find(styles, { block, slug }) === undefined ? [] : [{ type: 'BlockStyleDeleted', data: { block, slug } }];
}

type StyleName = Pick<SavedStyle, 'block' | 'slug'>;
type Blocks = BlockStyles['blocks'];

function find({ blocks }: BlockStyles, { block, slug }: StyleName) {
  return blocks.find((one) => one.block === block)?.styles.find((style) => style.slug === slug);
}

function sizeOf({ block, slug, name, data, save }: SavedStyle): number {
  return [block, slug, name, data, save].reduce((sum, text) => sum + text.length, 0);
}

function saved(blocks: Blocks, { block, slug, name, data, save }: SavedStyle): Blocks {
  const style = { slug, name, data, save };
  if (!blocks.some((one) => one.block === block)) return [...blocks, { block, styles: [style] }];
  return blocks.map((one) => {
    if (one.block !== block) return one;
    const known = one.styles.some((each) => each.slug === slug);
    const styles = known ? one.styles.map((each) => (each.slug === slug ? style : each)) : [...one.styles, style];
    return { block, styles };
  });
}

function without(blocks: Blocks, { block, slug }: StyleName): Blocks {
  return blocks
    .map((one) => (one.block === block ? { block, styles: one.styles.filter((style) => style.slug !== slug) } : one))
    .filter(({ styles }) => styles.length > 0);
}
