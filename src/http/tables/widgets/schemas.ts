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
