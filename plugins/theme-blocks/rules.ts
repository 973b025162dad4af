import type { Plugin, PluginReader } from 'palimpsest/plugin';
import { type BlockStyle, placeKey, type StylePlace, themeStyles } from './area.ts';
import { isFields, scalarText } from './values.ts';

type PageStyles = NonNullable<Plugin['pageStyles']>;
type Rule = ReturnType<PageStyles>[number];
type Declaration = Rule['declarations'][number];

/** Styles of templates apply on all pages of entries, those of a post while it has the block. */
export const pageStyles: PageStyles = (model, place) => {
  if (place === 'around') return rulesOf(stylesIn({ scope: 'widget', post: 0 }, model));
  const own = stylesIn({ scope: 'post', post: place.entry }, model);
  return rulesOf([...stylesIn({ scope: 'template', post: 0 }, model), ...stylesInUse(own, place.entry, model)]);
};

export function stylesIn(place: StylePlace, { document }: Pick<PluginReader, 'document'>): readonly BlockStyle[] {
  return document(themeStyles, placeKey(place)).styles;
}

/** The styles whose block the content has. */
export function stylesInUse(
  styles: readonly BlockStyle[],
  post: number,
  { texts }: Pick<PluginReader, 'texts'>,
): readonly BlockStyle[] {
  if (styles.length === 0) return styles;
  const content = texts(post)?.content ?? '';
  return styles.filter(({ key }) => typeof key === 'string' && content.includes(key));
}

const screens = [
  { member: 'styles' },
  { member: 'tablet_styles', maxWidth: 1024 },
  { member: 'mobile_styles', maxWidth: 767 },
] as const;

/** Converts styles as the editor stores them. */
export function rulesOf(styles: readonly BlockStyle[]): readonly Rule[] {
  const values = styles.flatMap(({ values: own }) => (Array.isArray(own) ? own : []));
  return values.flatMap((value) => {
    if (!isFields(value) || typeof value['selector'] !== 'string') return [];
    const { selector, custom_styles: custom } = value;
    const own = (Array.isArray(custom) ? custom : []).filter(isFields);
    const further = own.map(({ key, value: text }) => [scalarText(key), text] as const);
    return screens.map(({ member, ...screen }) => {
      const pairs = [...pairsIn(value[member]), ...('maxWidth' in screen ? [] : further)];
      return { selector, declarations: pairs.filter(isDeclaration), ...screen };
    });
  });
}

function isDeclaration(pair: readonly [string, unknown]): pair is Declaration {
  return typeof pair[1] === 'string' || typeof pair[1] === 'number';
}

function pairsIn(styles: unknown): readonly (readonly [string, unknown])[] {
  if (isFields(styles)) return Object.entries(styles);
  if (typeof styles !== 'string') return [];
  return styles.split(';').map((one) => {
    const colon = one.indexOf(':');
    return [one.slice(0, Math.max(0, colon)).trim(), one.slice(colon + 1)] as const;
  });
}
