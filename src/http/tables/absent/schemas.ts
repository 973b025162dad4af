import { z } from 'zod';
import { outlineSchema } from '../../engine/outline-schema.ts';
import { editing, whole } from '../../engine/property.ts';

const text = z.string();

export const sidebarSchema = outlineSchema('sidebar', {
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

export const widgetTypeSchema = outlineSchema('widget-type', {
  id: [text, 'Unique slug identifying the widget type.'],
  name: [text, 'Human-readable name identifying the widget type.'],
  description: [text, 'Description of the widget.'],
  is_multi: [z.boolean(), 'Whether the widget supports multiple instances'],
  classname: [text, 'Class name'],
});

export const widgetSchema = outlineSchema('widget', {
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

export const fontFamilySchema = outlineSchema('wp_font_family', {
  id,
  theme_json_version: themeJson,
  font_faces: [z.array(z.int()), 'The IDs of the child font faces in the font family.'],
  font_family_settings: [map, 'font-face definition in theme.json format.'],
});

export const fontFaceSchema = outlineSchema('wp_font_face', {
  id,
  theme_json_version: themeJson,
  parent: [z.int(), 'The ID for the parent font family of the font face.'],
  font_face_settings: [map, 'font-face declaration in theme.json format.'],
});

export const fontCollectionSchema = outlineSchema('font-collection', {
  slug: [text, 'Unique identifier for the font collection.'],
  name: [text, 'The name for the font collection.'],
  description: [text, 'The description for the font collection.'],
  font_families: [z.array(map), 'The font families for the font collection.'],
  categories: [z.array(map), 'The categories for the font collection.'],
});
