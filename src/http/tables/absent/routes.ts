import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import type { Answer, Arg, Args, Call, Endpoint, Method, Route } from '../../engine/types.ts';
import { emptyList, noSuch } from '../records/answers.ts';
import { outlineSchema } from '../records/field.ts';
import { editing, whole } from '../records/property.ts';
import { contextArg, pagingArgs } from '../records/usual-args.ts';

/**
 * What clients ask for and this server does not have: areas for widgets, fonts of its own (interface behaviour, section 38). Lists are
 * empty, and what is named does not exist.
 */

type Answers = (call: Call<Model>) => Answer | Refusal;

interface Absent {
  /** Below the namespace of posts. */
  readonly path: string;
  readonly schema: () => unknown;
  readonly may: (call: Call<Model>) => Refusal | null;
  readonly depends: readonly string[];
  readonly read: readonly [args: Args<Model>, answer: Answers];
  readonly writes?: readonly (readonly [methods: readonly Method[], args: Args<Model>, refusal: () => Refusal])[];
}

const update = ['POST', 'PUT', 'PATCH'] as const;
const text = z.string();

const sidebarSchema = outlineSchema('sidebar', {
  id: [text, 'ID of sidebar.'],
  name: [text, 'Unique name identifying the sidebar.'],
  description: [text, 'Description of sidebar.'],
  class: [text, 'Extra CSS class to assign to the sidebar in the Widgets interface.'],
  before_widget: [text, "HTML content to prepend to each widget's HTML output when assigned to this sidebar."],
  after_widget: [text, "HTML content to append to each widget's HTML output when assigned to this sidebar."],
  before_title: [text, 'HTML content to prepend to the sidebar title when displayed.'],
  after_title: [text, 'HTML content to append to the sidebar title when displayed.'],
  status: [z.enum(['active', 'inactive']), 'Status of sidebar.'],
  widgets: [z.array(z.string()), 'Nested widgets.'],
});

const widgetTypeSchema = outlineSchema('widget-type', {
  id: [text, 'Unique slug identifying the widget type.'],
  name: [text, 'Human-readable name identifying the widget type.'],
  description: [text, 'Description of the widget.'],
  is_multi: [z.boolean(), 'Whether the widget supports multiple instances'],
  classname: [text, 'Class name'],
});

const widgetSchema = outlineSchema('widget', {
  id: [text, 'Unique identifier for the widget.'],
  id_base: [text, 'The type of the widget. Corresponds to ID in widget-types endpoint.'],
  sidebar: [text, 'The sidebar the widget belongs to.'],
  rendered: [text, 'HTML representation of the widget.', whole],
  rendered_form: [text, 'HTML representation of the widget admin form.', editing],
  instance: [z.record(z.string(), z.unknown()).nullable(), 'Instance settings of the widget, if supported.', editing],
});

const map = z.record(z.string(), z.unknown());
const themeJson = [z.int(), 'Version of the theme.json schema used for the typography settings.'] as const;
const id = [z.int(), 'Unique identifier for the post.'] as const;

const fontFamilySchema = outlineSchema('wp_font_family', {
  id,
  theme_json_version: themeJson,
  font_faces: [z.array(z.int()), 'The IDs of the child font faces in the font family.'],
  font_family_settings: [map, 'font-face definition in theme.json format.'],
});

const fontFaceSchema = outlineSchema('wp_font_face', {
  id,
  theme_json_version: themeJson,
  parent: [z.int(), 'The ID for the parent font family of the font face.'],
  font_face_settings: [map, 'font-face declaration in theme.json format.'],
});

const fontCollectionSchema = outlineSchema('font-collection', {
  slug: [text, 'Unique identifier for the font collection.'],
  name: [text, 'The name for the font collection.'],
  description: [text, 'The description for the font collection.'],
  font_families: [z.array(map), 'The font families for the font collection.'],
  categories: [z.array(map), 'The categories for the font collection.'],
});

const arg = (schema: z.ZodType, description: string): Arg<Model> => ({ schema: schema.describe(description) });
const second = (schema: z.ZodType, description: string): Arg<Model> => ({ ...arg(schema, description), pass: 2 });

const managing = ({ viewer }: Call<Model>): Refusal | null =>
  may(viewer, 'edit_theme_options')
    ? null
    : refuse('rest_cannot_manage_widgets', 'Sorry, you are not allowed to manage widgets on this site.');
const reading =
  (what: string) =>
  ({ viewer }: Call<Model>): Refusal | null =>
    may(viewer, 'edit_theme_options')
      ? null
      : refuse('rest_cannot_read', `Sorry, you are not allowed to access ${what}.`);
/** Also for those who may, since the header `Allow` names no method then. */
const missing =
  (allowed: Absent['may'], refusal: () => Refusal): Absent['may'] =>
  (call) =>
    allowed(call) ?? refusal();

const noSidebar = noSuch('rest_sidebar_not_found', 'No sidebar exists with that id.');
const noWidget = noSuch('rest_widget_not_found', 'No widget was found with that id.');
const noWidgetType = noSuch('rest_widget_type_invalid', 'Invalid widget type.');
const noSuchWidget = noSuch('rest_invalid_widget', 'The provided widget type (id_base) is not known.');
const noFamily = noSuch('rest_post_invalid_id', 'Invalid post ID.');
const noParent = noSuch('rest_post_invalid_parent', 'Invalid post parent ID.');
const noCollection = noSuch('rest_font_collection_not_found', 'Font collection not found.');
const nobody = noSuch('rest_cannot_create', 'Sorry, this server stores no fonts.');

const none = () => emptyList();
const noPages = ({ model }: Call<Model>) => emptyList(model.site().names.headers);

const context = { context: contextArg };
const pages = { ...context, page: pagingArgs['page'], per_page: pagingArgs['per_page'] } as Args<Model>;
const sidebarId = { id: arg(text, 'The id of a registered sidebar') };
const widgetId = { id: arg(text, 'Unique identifier for the widget.') };
const widget: Args<Model> = {
  ...widgetId,
  id_base: second(text, 'The type of the widget. Corresponds to ID in widget-types endpoint.'),
  sidebar: second(text, 'The sidebar the widget belongs to.'),
  instance: second(z.record(z.string(), z.unknown()).nullable(), 'Instance settings of the widget, if supported.'),
  form_data: second(text, 'URL-encoded form data from the widget admin form.'),
};
const removal = 'Whether to force removal of the widget, or move it to the inactive sidebar.';
const number = (what: string) => second(z.int(), `Unique identifier for the ${what}.`);
const declared = (what: string) => second(text, `${what} declaration in theme.json format, encoded as a string.`);
const ofFamily = { font_family_id: number('font family') };

const widgets = { may: managing, depends: [] } as const;
const fonts = (what: string) => ({ may: reading(what), depends: ['site'] });
const families = fonts('font families');

const absent: readonly Absent[] = [
  { ...widgets, path: 'sidebars', schema: sidebarSchema, read: [context, none] },
  {
    ...widgets,
    path: 'sidebars/(?P<id>[\\w-]+)',
    schema: sidebarSchema,
    read: [{ ...sidebarId, ...context }, noSidebar],
    writes: [[update, { ...sidebarId, widgets: second(z.array(text), 'Nested widgets.') }, noSidebar]],
  },
  { ...widgets, path: 'widget-types', schema: widgetTypeSchema, read: [context, none] },
  {
    ...widgets,
    path: 'widget-types/(?P<id>[a-zA-Z0-9_-]+)',
    schema: widgetTypeSchema,
    may: missing(managing, noWidgetType),
    read: [{ id: arg(text, 'The widget type id.'), ...context }, noWidgetType],
  },
  {
    ...widgets,
    path: 'widgets',
    schema: widgetSchema,
    read: [{ ...context, sidebar: arg(text, 'The sidebar to return widgets for.') }, none],
    writes: [[['POST'], widget, noSuchWidget]],
  },
  {
    ...widgets,
    path: 'widgets/(?P<id>[\\w\\-]+)',
    schema: widgetSchema,
    read: [{ ...widgetId, ...context }, noWidget],
    writes: [
      [update, widget, noWidget],
      [['DELETE'], { ...widgetId, force: second(z.boolean(), removal) }, noWidget],
    ],
  },
  {
    ...families,
    path: 'font-families',
    schema: fontFamilySchema,
    read: [pages, noPages],
    writes: [[['POST'], { font_family_settings: declared('font-family') }, nobody]],
  },
  {
    ...families,
    path: 'font-families/(?P<id>[\\d]+)',
    schema: fontFamilySchema,
    may: missing(families.may, noFamily),
    read: [{ id: number('font family'), ...context }, noFamily],
  },
  {
    ...fonts('font faces'),
    path: 'font-families/(?P<font_family_id>[\\d]+)/font-faces',
    schema: fontFaceSchema,
    read: [{ ...ofFamily, ...pages }, noParent],
    writes: [[['POST'], { ...ofFamily, font_face_settings: declared('font-face') }, nobody]],
  },
  {
    ...fonts('font faces'),
    path: 'font-families/(?P<font_family_id>[\\d]+)/font-faces/(?P<id>[\\d]+)',
    schema: fontFaceSchema,
    read: [{ ...ofFamily, id: number('font face'), ...context }, noParent],
  },
  {
    ...fonts('font collections'),
    path: 'font-collections',
    schema: fontCollectionSchema,
    read: [pages, noPages],
  },
  {
    ...fonts('font collections'),
    path: 'font-collections/(?P<slug>[\\/\\w-]+)',
    schema: fontCollectionSchema,
    read: [{ slug: arg(text, 'Unique identifier for the font collection.'), ...context }, noCollection],
  },
];

export function absentRoutes(): readonly Route<Model, Session>[] {
  return absent.map(({ path, schema, depends, read: [args, query], writes = [], may: permission }) => {
    const commands = writes.map(([methods, sent, command]): Endpoint<Model, Session> => {
      return { methods, args: sent, permission: command === nobody ? nobody : permission, command };
    });
    const reads: Endpoint<Model, Session> = { methods: ['GET'], args, permission, query, depends: () => depends };
    return { namespace: CONTENT, pattern: `/${CONTENT}/${path}`, schema, endpoints: [reads, ...commands] };
  });
}
