import type { As, Site } from '../support/site.ts';
import type { Readable } from './reading.contract.ts';

const digits = '([\\d]+)';
const templateId = '([^:<>\\*\\?"\\|]+\\/[\\w%-]+)';
const read = [['GET'], ['GET']] as const;
const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

interface Kept {
  readonly path: string;
  readonly keeper: As;
  readonly body: Readonly<Record<string, unknown>>;
}

const entry = { title: 'Kept', content: 'Text', status: 'publish' };
const keptEntries: readonly Kept[] = [
  { path: '/posts', keeper: 'editor', body: entry },
  { path: '/pages', keeper: 'editor', body: entry },
  { path: '/products', keeper: 'editor', body: entry },
  { path: '/blocks', keeper: 'editor', body: entry },
  { path: '/navigation', keeper: 'administrator', body: entry },
];
const menuItem: Kept = {
  path: '/menu-items',
  keeper: 'administrator',
  body: { title: 'Kept', url: 'https://other.example/', status: 'publish' },
};
const keptTemplates: readonly Kept[] = ['/templates', '/template-parts'].map((path) => ({
  path,
  keeper: 'administrator',
  body: { slug: 'kept', title: 'Kept', content: 'Text' },
}));

/** Creates an item and saves it twice, so that it has revisions. */
async function revised(site: Site, { path, keeper, body }: Kept): Promise<string> {
  const made = await site.call(keeper, `POST ${path}`, body);
  const item = `${path}/${made.body.id}`;
  for (const content of ['Once', 'Twice']) await site.call(keeper, `PUT ${item}`, { content });
  return item;
}

function revisionsOf(kept: Kept, id: string, refusal: string, unknown: string): Readable {
  const { path, keeper } = kept;
  return {
    routes: [`${path}/${id}/revisions`, `${path}/${id}/revisions/${digits}`],
    methods: [['GET'], ['GET', 'DELETE']],
    keeper,
    refusal,
    async find(site) {
      const list = `${await revised(site, kept)}/revisions`;
      const { body } = await site.call(keeper, `GET ${list}`);
      return [list, String(body[0].wp_id ?? body[0].id)];
    },
    unknown: ['987654321', unknown],
  };
}

function autosavesOf(kept: Kept, id: string, refusal: string): Readable {
  const { path, keeper, body } = kept;
  return {
    routes: [`${path}/${id}/autosaves`, `${path}/${id}/autosaves/${digits}`],
    methods: [['GET', 'POST'], ['GET']],
    keeper,
    refusal,
    async find(site) {
      const made = await site.call(keeper, `POST ${path}`, body);
      const list = `${path}/${made.body.id}/autosaves`;
      const saved = await site.call(keeper, `POST ${list}`, { title: 'Changed' });
      return [list, String(saved.body.wp_id ?? saved.body.id)];
    },
    unknown: ['987654321', ''],
    differs: { anyKey: { is: true, section: 20 } },
  };
}

/** An id of a template can have slashes, so the route of a template has the paths of what belongs to it. */
function ofTemplates(readable: Readable): Readable {
  return { ...readable, differs: { ...readable.differs, otherRoute: { is: 'rest_template_not_found', section: 37 } } };
}

/** A collection that the server fills itself. */
function offered(
  path: string,
  key: string | null,
  about: Omit<Readable, 'routes' | 'methods' | 'find'> & {
    readonly pattern: string;
    readonly methods?: Readable['methods'];
  },
): Readable {
  const { pattern, methods = read, ...rest } = about;
  return { routes: [path, `${path}/(${pattern})`], methods, find: async () => [path, key], ...rest };
}

const name = '[\\w-]+';
const stylesheet = '[^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?';
const blockName = '[a-zA-Z0-9_-]+';
const iconName = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
const admin = 'administrator' as const;
const named = { keeper: admin, refusal: null, pattern: name, differs: { keyed: { is: true, section: 31 } } } as const;
const blockType = { keeper: admin, refusal: 'rest_block_type_cannot_view', pattern: blockName } as const;
const icon = { keeper: admin, refusal: 'rest_cannot_view', pattern: iconName } as const;
const widgets = { keeper: admin, refusal: 'rest_cannot_manage_widgets' } as const;
const fonts = { keeper: admin, refusal: 'rest_cannot_read' } as const;
const part = { part: { is: true, section: 38 } } as const;

/** A record that belongs to no collection. */
function single(path: string, about: Omit<Readable, 'routes' | 'find'> & { readonly route?: string }): Readable {
  const { route = path, ...rest } = about;
  return { routes: [route], find: async () => [path, null], ...rest };
}

/** All collections that clients only read, or whose items have other keys than ids. */
export const readables: readonly Readable[] = [
  ...keptEntries.map((kept) => revisionsOf(kept, digits, 'rest_cannot_read', 'rest_post_invalid_id')),
  ...keptTemplates.map((kept) =>
    ofTemplates(revisionsOf(kept, templateId, 'rest_cannot_read', 'rest_post_invalid_id')),
  ),
  ...[...keptEntries, menuItem].map((kept) => autosavesOf(kept, digits, 'rest_cannot_read')),
  ...keptTemplates.map((kept) => ofTemplates(autosavesOf(kept, templateId, 'rest_cannot_read'))),
  {
    routes: [`/global-styles/${digits}/revisions`, `/global-styles/${digits}/revisions/${digits}`],
    methods: read,
    keeper: admin,
    refusal: 'rest_cannot_read',
    async find(site) {
      await site.call(admin, 'PUT /global-styles/1', { styles: { color: { text: '#111' } } });
      const { body } = await site.call(admin, 'GET /global-styles/1/revisions');
      return ['/global-styles/1/revisions', String(body[0].id)];
    },
    unknown: ['987654321', 'rest_post_invalid_id'],
  },
  offered('/types', 'page', { ...named, unknown: ['unknown', 'rest_type_invalid'] }),
  offered('/statuses', 'publish', { ...named, unknown: ['unknown', 'rest_status_invalid'] }),
  offered('/taxonomies', 'category', { ...named, unknown: ['unknown', 'rest_taxonomy_invalid'] }),
  offered('/menu-locations', 'top', {
    ...named,
    refusal: 'rest_cannot_view',
    unknown: ['unknown', 'rest_menu_location_invalid'],
    differs: { keyed: { is: true, section: 29 } },
  }),
  {
    routes: [
      '/users/((?:[\\d]+|me))/application-passwords',
      '/users/((?:[\\d]+|me))/application-passwords/([\\w\\-]+)',
    ],
    methods: [['GET', 'POST', 'DELETE'], all],
    keeper: admin,
    refusal: 'rest_cannot_list_application_passwords',
    async find(site) {
      const list = '/users/1/application-passwords';
      const { body } = await site.call(admin, `POST ${list}`, { name: 'Kept' });
      return [list, body.uuid];
    },
    unknown: ['unknown', 'rest_application_password_not_found'],
    differs: { itemRefusal: { is: 'rest_cannot_read_application_password', section: 33 } },
  },
  offered('/themes', 'plain', {
    ...{ keeper: admin, refusal: 'rest_cannot_view_themes', pattern: stylesheet },
    unknown: ['unknown', 'rest_theme_not_found'],
    differs: { itemRefusal: { is: 'rest_cannot_view_active_theme', section: 36 } },
  }),
  offered('/block-types', 'core', {
    ...blockType,
    unknown: ['unknown', ''],
    differs: { ...part, emptyPart: { is: true, section: 38 } },
  }),
  {
    ...blockType,
    routes: [`/block-types/(${blockName})`, `/block-types/(${blockName})/(${blockName})`],
    methods: read,
    find: async () => ['/block-types/core', 'paragraph'],
    unknown: ['unknown', 'rest_block_type_invalid'],
  },
  offered('/icons', 'core', { ...icon, unknown: ['unknown', 'rest_icon_collection_not_found'], differs: part }),
  {
    ...icon,
    routes: [`/icons/(${iconName})`, `/icons/(${iconName})/(${iconName})`],
    methods: read,
    async find(site) {
      const { body } = await site.call(admin, 'GET /icons/core');
      return ['/icons/core', body[0].name.split('/')[1]];
    },
    unknown: ['unknown', 'rest_icon_not_found'],
  },
  offered('/icon-collections', 'core', { ...icon, unknown: ['unknown', 'rest_icon_collection_not_found'] }),
  offered('/sidebars', null, {
    ...{ ...widgets, pattern: name, methods: [['GET'], ['GET', 'POST', 'PUT', 'PATCH']] },
    unknown: ['unknown', 'rest_sidebar_not_found'],
  }),
  offered('/widget-types', null, {
    ...{ ...widgets, pattern: blockName },
    unknown: ['unknown', 'rest_widget_type_invalid'],
  }),
  offered('/widgets', null, {
    ...{ ...widgets, pattern: '[\\w\\-]+', methods: [['GET', 'POST'], all] },
    unknown: ['unknown', 'rest_widget_not_found'],
  }),
  offered('/font-families', null, {
    ...{ ...fonts, pattern: '[\\d]+', methods: [['GET', 'POST'], ['GET']] },
    unknown: ['987654321', 'rest_post_invalid_id'],
  }),
  offered('/font-collections', null, {
    ...{ ...fonts, pattern: '[\\/\\w-]+' },
    unknown: ['unknown', 'rest_font_collection_not_found'],
  }),
  {
    routes: ['/plugins', '/plugins/([^.\\/]+(?:\\/[^.\\/]+)?)'],
    methods: [['GET', 'POST'], ['GET']],
    keeper: admin,
    refusal: 'rest_cannot_view_plugins',
    async find(site) {
      const { body } = await site.call(admin, 'GET /plugins');
      return ['/plugins', body[0].plugin];
    },
    unknown: ['unknown', 'rest_plugin_not_found'],
  },
  single('/settings', {
    ...{ keeper: admin, refusal: 'rest_forbidden', methods: [['GET', 'POST', 'PUT', 'PATCH']], unknown: null },
  }),
  single('/global-styles/1', {
    ...{ route: `/global-styles/${digits}`, keeper: admin, refusal: 'rest_cannot_view', unknown: null },
    methods: [['GET', 'POST', 'PUT', 'PATCH']],
  }),
  single('/global-styles/themes/plain', {
    ...{ route: `/global-styles/themes/(${stylesheet})`, keeper: admin, methods: [['GET']], unknown: null },
    refusal: 'rest_cannot_read_global_styles',
    differs: { noSchema: { is: true, section: 36 } },
  }),
];
