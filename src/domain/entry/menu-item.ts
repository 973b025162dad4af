import type { EntryPart } from './part.ts';

/** Target and markup of a menu item. Its texts are those of an entry: title, tooltip, description. */
export interface MenuItem {
  readonly type: MenuItemType;
  /** What it links to: a kind of entries or a taxonomy; `custom` for a free address. */
  readonly object: string;
  /** 0: no target object. */
  readonly objectId: number;
  /** Address of a custom item; '' for all others. */
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
    type,
    object,
    objectId,
    url,
    target,
    classes: [...classes],
    xfn: [...xfn],
  }),
};
