import { isNumber, isSet, mapAt, styleText, textAt } from '#text/attributes.ts';
import type { JsonMap, JsonValue } from '#text/ordered-json.ts';
import type { Scope } from '#text/server-blocks.ts';
import { fluidSize } from '#text/supports/fluid-size.ts';

export interface Look {
  readonly classes: readonly string[];
  readonly style: string;
}

const JUSTIFIED = ['left', 'right', 'center', 'space-between'];

/** The look of a menu: its colours, its text size, the placement of its items. */
export function menuLook(attributes: JsonMap): Look {
  const colours = menuColours((name) => attributes.get(name));
  const size = textAt(attributes, 'fontSize');
  const custom = attributes.get('customFontSize');
  const given = typeof custom === 'string' ? custom : isNumber(custom) ? custom.number : '';
  const decoration = textAt(attributes, 'style', 'typography', 'textDecoration');
  const overlay = textAt(attributes, 'overlayMenu') ?? 'mobile';
  return {
    classes: [
      ...colours.classes,
      ...(size === undefined ? [] : [`has-${size}-font-size`]),
      ...(overlay === 'never' && !isSet(attributes.get('isResponsive')) ? [] : ['is-responsive']),
      ...layoutClasses(mapAt(attributes, 'layout')),
      ...(isSet(decoration) ? [`has-text-decoration-${decoration}`] : []),
    ],
    style: colours.style + (size === undefined && given !== '' ? `font-size: ${given}px;` : ''),
  };
}

/** The colours of a menu, of its overlay (`prefix`), or those that a menu passes to its blocks. */
export function menuColours(value: (name: string) => JsonValue | undefined, prefix: '' | 'overlay' = ''): Look {
  const named = (name: string): JsonValue | undefined => value(prefix === '' ? lowered(name) : prefix + name);
  const own = (name: string): JsonValue | undefined => value(prefix === '' ? `custom${name}` : `customOverlay${name}`);
  const text = colour('has-text-color', [named('TextColor'), own('TextColor')], ['color', 'color']);
  const background = colour(
    'has-background',
    [named('BackgroundColor'), own('BackgroundColor')],
    ['background-color', 'background-color'],
  );
  return { classes: [...text.classes, ...background.classes], style: text.style + background.style };
}

/** The look of an item. It has the named size of its menu already: a relative one would multiply. */
export function itemLook(scope: Scope): Look {
  const size = scope.get('fontSize');
  if (typeof size === 'string' && size !== '') return { classes: [], style: '' };
  const style = scope.get('style');
  const custom = style instanceof Map ? styleText(mapAt(style, 'typography')?.get('fontSize')) : undefined;
  return { classes: [], style: custom === undefined ? '' : `font-size: ${fluidSize(custom)};` };
}

function colour(
  mark: string,
  [named, own]: readonly [JsonValue | undefined, JsonValue | undefined],
  [end, property]: readonly [string, string],
): Look {
  if (typeof named === 'string') return { classes: [mark, `has-${named}-${end}`], style: '' };
  return typeof own === 'string' ? { classes: [mark], style: `${property}: ${own};` } : { classes: [], style: '' };
}

function layoutClasses(layout: JsonMap | undefined): string[] {
  const justify = layout?.get('justifyContent');
  return [
    ...(typeof justify === 'string' && JUSTIFIED.includes(justify) ? [`items-justified-${justify}`] : []),
    ...(layout?.get('orientation') === 'vertical' ? ['is-vertical'] : []),
    ...(layout?.get('flexWrap') === 'nowrap' ? ['no-wrap'] : []),
  ];
}

function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
