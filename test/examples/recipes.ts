import type { Edit } from './edited.ts';

interface Wanted {
  /** The kind has the taxonomy `cuisine`. */
  readonly taxonomy: boolean;
}

/** Adds the kind `recipe`, as CONTRIBUTING describes. */
export const recipes = ({ taxonomy }: Wanted): readonly Edit[] => [
  {
    file: 'src/domain/entry/kinds.ts',
    at: '/** All kinds, in listing order. */',
    change: (found) => `
const recipe: EntryKind = {
  ...post,
  name: 'recipe',
  base: 'recipes',
  features: new Set(['author', 'excerpt', 'image', 'discussion', 'meta', 'revisions']),
  taxonomies: [${taxonomy ? "'cuisine'" : ''}],
  discussion: 'closed',
  root: 'recipe/',
  type: { ...post.type, name: 'Recipes', singular: 'Recipe', supports: offers('excerpt') },
};

${found}`,
  },
  {
    file: 'src/domain/entry/kinds.ts',
    at: 'navigation, menuItem];',
    change: () => 'navigation, menuItem, recipe];',
  },
  ...(taxonomy ? cuisine : []),
];

const cuisine: readonly Edit[] = [
  {
    file: 'src/domain/term/events.ts',
    at: `'nav_menu'] as const`,
    change: (found) => found.replace(']', `, 'cuisine']`),
  },
  {
    file: 'src/domain/term/kinds.ts',
    at: '/** All kinds, in listing order. */',
    change: (found) => `
const cuisine: TermKind = {
  ...tag,
  name: 'cuisine',
  base: 'cuisines',
  title: 'cuisine',
  entries: 'recipes',
  type: { name: 'Cuisines', singular: 'Cuisine', noun: 'cuisines', viewable: false },
};

${found}`,
  },
  {
    file: 'src/domain/term/kinds.ts',
    at: 'patternCategory, menu];',
    change: () => 'patternCategory, menu, cuisine];',
  },
  {
    file: 'src/domain/term/kinds.ts',
    at: '  nav_menu: menu,\n',
    change: (found) => `${found}  cuisine,\n`,
  },
];
