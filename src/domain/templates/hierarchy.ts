interface Asked {
  readonly slug: string;
  readonly isCustom: boolean;
  /** Prefix of the slug, if known: `taxonomy-genre`. */
  readonly prefix: string;
}

export interface TemplateSubjects {
  readonly types: readonly string[];
  readonly taxonomies: readonly string[];
}

/** Slugs of the templates for a page, most specific first: `single-post`, `single`, `singular`, `index`. The first that exists is used. */
export function templateHierarchy({ slug, isCustom, prefix }: Asked, subjects: TemplateSubjects): readonly string[] {
  if (slug === 'index') return ['index'];
  if (isCustom) return ['page', 'singular', 'index'];
  if (slug === 'front-page') return ['front-page', 'home', 'index'];
  const starts = (...words: readonly string[]) => words.some((word) => slug.startsWith(word));
  const all = [
    slug,
    ...(prefix === '' ? above(slug, subjects) : abovePrefix(slug, prefix)),
    ...(starts('author', 'taxonomy', 'category', 'tag') || slug === 'date' ? ['archive'] : []),
    ...(slug === 'attachment' ? ['single'] : []),
    ...(starts('single', 'page') || slug === 'attachment' ? ['singular'] : []),
    'index',
  ];
  return [...new Set(all)];
}

function abovePrefix(slug: string, prefix: string): readonly string[] {
  const [type = ''] = prefix.split('-');
  return [...(prefix === slug || prefix === type ? [] : [prefix]), ...(slug === type ? [] : [type])];
}

/** More general templates for a slug: `category-news` falls back to `category`, `single-post-hello` to `single-post`. */
function above(slug: string, { types, taxonomies }: TemplateSubjects): readonly string[] {
  const plain = /^(author|category|archive|tag|page)-./.exec(slug)?.[1];
  if (plain !== undefined) return [plain];
  const [, kind, rest = ''] = /^(taxonomy|single)-(.+)$/.exec(slug) ?? [];
  if (kind === undefined) return [];
  const items = kind === 'single' ? types : taxonomies;
  const about = items.find((item) => rest === item || (rest.startsWith(item) && rest.length > item.length + 1));
  if (about === undefined) return [];
  return rest === about ? [kind] : [`${kind}-${about}`, kind];
}
