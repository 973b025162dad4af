import type { WantedItem } from '#commands/migration.ts';
import type { SiteRecord, StylesRecord, TemplateRecord } from '#wxr/records.ts';
import { keyOfRecord, type Making, recordDigest } from './states.ts';
import type { MigrationTarget } from './target.ts';

/** What a site has once: its templates, its styles, its settings. */

interface SiteMaking extends Making {
  readonly target: MigrationTarget;
}

/** Null: it belongs to a theme that is not the one here. */
export function templateItem(record: TemplateRecord, { places, target }: SiteMaking): WantedItem | null {
  if (record.theme !== target.site.theme) return null;
  const { type, theme, slug, title, description, area } = record;
  const key = keyOfRecord(record);
  const standing = target.templates.find((one) => one.type === type && one.theme === theme && one.slug === slug);
  const state = {
    ...{ type, theme, slug, title, description, author: 0, isTrashed: false, isSuggestion: false },
    content: places.text(record.content, ''),
    area: area || 'uncategorized',
  };
  const id = places.known(key)?.id ?? standing?.number ?? 0;
  return { key, area: 'plugin-templates', id, digest: recordDigest(record), state };
}

export function stylesItem(record: StylesRecord, { target }: SiteMaking): WantedItem | null {
  if (record.theme !== target.site.theme) return null;
  const { settings, styles } = record;
  const state = { settings, styles };
  return { key: keyOfRecord(record), area: 'plugin-site-styles', id: 0, digest: recordDigest(record), state };
}

/** By the names of the interface: the settings that are taken as they are. */
const plain: Readonly<Record<string, string>> = {
  date_format: 'dateFormat',
  time_format: 'timeFormat',
  start_of_week: 'startOfWeek',
  use_smilies: 'useSmilies',
  posts_per_page: 'postsPerPage',
  show_on_front: 'showOnFront',
  default_ping_status: 'defaultPingStatus',
  default_comment_status: 'defaultCommentStatus',
};
const items: Readonly<Record<string, string>> = {
  page_on_front: 'pageOnFront',
  page_for_posts: 'pageForPosts',
  site_logo: 'siteLogo',
  site_icon: 'siteIcon',
};

export function settingsItem(site: SiteRecord, { places }: Making): WantedItem {
  const { title, description, timezone, settings } = site;
  const given = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).flatMap(([name, own]) =>
      settings[name] === undefined ? [] : [[own, settings[name]] as const],
    );
  const category = Number(settings['default_category'] ?? 0);
  // Null: it is not set.
  const idOf = (id: unknown) => (id === null ? null : Number(id) === 0 ? 0 : places.item(Number(id)));
  const ids = given(items).map(([name, id]) => [name, idOf(id)]);
  const state = {
    ...{ name: title, description },
    ...(/^[A-Z]/.test(timezone) ? { timezone } : {}),
    ...Object.fromEntries(given(plain)),
    ...Object.fromEntries(ids),
    ...(category === 0 ? {} : { defaultCategory: places.term('category', { id: category }) }),
  };
  return { key: 'site', area: 'site', id: 0, digest: recordDigest(site), state };
}
