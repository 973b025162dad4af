import type { EntryPart } from './part.ts';

/** Where an item of a menu leads, and how it is marked up. Its texts are those of an entry: title, tip, description. */
export interface MenuItem {
  readonly type: MenuItemType;
  /** What it leads to: a kind of entries, a taxonomy; `custom` for an address of its own. */
  readonly object: string;
  /** 0 where nothing is led to. */
  readonly objectId: number;
  /** Of its own; '' where it leads to something. */
  readonly url: string;
  readonly target: '' | '_blank';
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
}

export const menuItemTypes = ['taxonomy', 'post_type', 'post_type_archive', 'custom'] as const;
export type MenuItemType = (typeof menuItemTypes)[number];

export const plainMenuItem: MenuItem = {
  type: 'custom',
  object: 'custom',
  objectId: 0,
  url: '',
  target: '',
  classes: [],
  xfn: [],
};

export const menuItemPart: EntryPart<MenuItem> = {
  event: 'EntryMenuItemChanged',
  plain: plainMenuItem,
  of: ({ type, object, objectId, url, target, classes, xfn }) => ({
    ...{ type, object, objectId, url, target },
    classes: [...classes],
    xfn: [...xfn],
  }),
};
