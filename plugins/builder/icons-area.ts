import { defineArea, defineEvent, type EventOf, limited, ofTheSite, z } from 'palimpsest/plugin';

const place = z.int().min(0);

const IconSaved = defineEvent({
  type: 'IconSaved',
  summary: 'An icon was added to the library or replaced.',
  schema: z.object({ key: limited.word, name: limited.name, icon: limited.document.describe('SVG') }),
  sealed: ['name', 'icon'],
  erased: { name: '', icon: '' },
  subjects: ofTheSite,
});

const IconDeleted = defineEvent({
  type: 'IconDeleted',
  summary: 'An icon was removed from the library.',
  schema: z.object({ key: limited.word }),
});

const IconMoved = defineEvent({
  type: 'IconMoved',
  summary: 'An icon was moved within the library.',
  schema: z.object({ from: place, to: place.describe('place after its removal from the old one') }),
});

type IconEvent = EventOf<typeof IconSaved> | EventOf<typeof IconDeleted> | EventOf<typeof IconMoved>;
export type Icon = EventOf<typeof IconSaved>['data'];

export interface IconLibrary {
  readonly icons: readonly Icon[];
}

const noIcons: IconLibrary = { icons: [] };

export const iconLibrary = defineArea({
  name: 'builder-icons',
  events: [IconSaved, IconDeleted, IconMoved],
  empty: noIcons,
  evolve({ icons }, event) {
    switch (event.type) {
      case 'IconSaved':
        return { icons: saved(icons, event.data) };
      case 'IconDeleted':
        return { icons: icons.filter(({ key }) => key !== event.data.key) };
      case 'IconMoved':
        return { icons: moved(icons, event.data.from, event.data.to) };
      default:
        return event satisfies never;
    }
  },
});

/** Maximum total length of all icons in characters: they are stored and sent together. */
export const maxDrawn = 4 * 1024 * 1024;

/** Adds an icon, or replaces the one with its key, if there is room. */
export function saveIcon({ icons }: IconLibrary, { key, name, icon }: Icon): readonly IconEvent[] | 'no room' {
  const before = icons.find((one) => one.key === key);
  if (before?.name === name && before.icon === icon) return [];
  const growth = sizeOf({ key, name, icon }) - (before === undefined ? 0 : sizeOf(before));
  const size = icons.reduce((sum, one) => sum + sizeOf(one), growth);
  return growth > 0 && size > maxDrawn ? 'no room' : [{ type: 'IconSaved', data: { key, name, icon } }];
}

export function deleteIcon({ icons }: IconLibrary, key: string): readonly IconEvent[] {
  return icons.some((icon) => icon.key === key) ? [{ type: 'IconDeleted', data: { key } }] : [];
}

/** Moves an icon to another index, which is limited to the end of the list. */
export function moveIcon({ icons }: IconLibrary, from: number, wanted: number): readonly IconEvent[] {
  const to = Math.min(Math.max(wanted, 0), icons.length - 1);
  return icons[from] === undefined || from === to ? [] : [{ type: 'IconMoved', data: { from, to } }];
}

function sizeOf({ key, name, icon }: Icon): number {
  return key.length + name.length + icon.length;
}

function saved(icons: readonly Icon[], { key, name, icon }: Icon): readonly Icon[] {
  const next = { name, key, icon };
  return icons.some((one) => one.key === key) ? icons.map((one) => (one.key === key ? next : one)) : [...icons, next];
}

function moved(icons: readonly Icon[], from: number, to: number): readonly Icon[] {
  const rest = icons.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...icons.slice(from, from + 1), ...rest.slice(to)];
}
