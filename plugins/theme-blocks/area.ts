import {
  defineArea,
  defineEvent,
  type EventOf,
  limited,
  ofItem,
  ofTheSite,
  type PluginReaction,
  z,
} from 'palimpsest/plugin';

/** What styles apply to: all widgets, all templates, one post, or something unspecified. */
export const styleScopes = ['widget', 'template', 'undefined', 'post'] as const;

const BlockStylesSaved = defineEvent({
  type: 'BlockStylesSaved',
  summary: 'The block styles of a post, of the widgets or of the templates were saved; all of them are recorded.',
  schema: z.object({
    scope: z.enum(styleScopes),
    post: z.int().min(0).describe('id of the post; 0: the styles are not those of a post'),
    styles: limited.sized(z.array(z.record(z.string(), z.unknown()))),
  }),
  sealed: ['styles'],
  erased: { styles: [] },
  subjects: ({ scope, post }) => (scope === 'post' ? ofItem(post) : ofTheSite()),
});

type Saved = EventOf<typeof BlockStylesSaved>;
export type StylePlace = Pick<Saved['data'], 'scope' | 'post'>;
export type BlockStyle = Saved['data']['styles'][number];

export interface ThemeStyles {
  readonly styles: readonly BlockStyle[];
}

const none: ThemeStyles = { styles: [] };

export const themeStyles = defineArea({
  name: 'theme-styles',
  events: [BlockStylesSaved],
  empty: none,
  keysOf: ({ data }) => [placeKey(data)],
  evolve: (_, { data }) => ({ styles: data.styles }),
});

export function placeKey({ scope, post }: StylePlace): string {
  return scope === 'post' ? `post-${post}` : scope;
}

/** Replaces all styles of a scope; no events if nothing differs. */
export function saveStyles(
  before: ThemeStyles,
  { scope, post }: StylePlace,
  styles: readonly BlockStyle[],
): readonly Saved[] {
  if (JSON.stringify(before.styles) === JSON.stringify(styles)) return [];
  return [{ type: 'BlockStylesSaved', data: { scope, post, styles: [...styles] } }];
}

export const forgetStyles: PluginReaction = {
  to: ['EntryDeleted'],
  react: ({ events }) => {
    const ids = events.filter(({ type }) => type === 'EntryDeleted').map(({ data }) => Number(data['id']));
    return (model) => {
      for (const post of ids) {
        const place: StylePlace = { scope: 'post', post };
        model.stage(themeStyles, saveStyles(model.document(themeStyles, placeKey(place)), place, []));
      }
    };
  },
};
