import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { emptyList, noSuch } from '../../engine/absent.ts';
import type { Args, Call, Route } from '../../engine/types.ts';
import { contextArg } from '../../engine/usual-args.ts';
import { sidebarSchema, widgetSchema, widgetTypeSchema } from './schemas.ts';

const depends = () => [];
const second = (schema: z.ZodType) => ({ schema, pass: 2 }) as const;
const sidebarId = { schema: z.string().describe('The id of a registered sidebar') };
const widgetId = { schema: z.string().describe('Unique identifier for the widget.') };
const typeId = { schema: z.string().describe('The widget type id.') };
const ofSidebar = { schema: z.string().describe('The sidebar to return widgets for.') };
const listArgs: Args<Model> = { context: contextArg };

const widgetArgs: Args<Model> = {
  id_base: second(z.string().describe('The type of the widget. Corresponds to ID in widget-types endpoint.')),
  sidebar: second(z.string().describe('The sidebar the widget belongs to.')),
  instance: second(
    z.record(z.string(), z.unknown()).nullable().describe('Instance settings of the widget, if supported.'),
  ),
  form_data: second(z.string().describe('URL-encoded form data from the widget admin form.')),
};

const noSidebar = noSuch('rest_sidebar_not_found', 'No sidebar exists with that id.');
const noWidget = noSuch('rest_widget_not_found', 'No widget was found with that id.');
const noWidgetType = noSuch('rest_widget_type_invalid', 'Invalid widget type.');
const noSuchWidget = noSuch('rest_invalid_widget', 'The provided widget type (id_base) is not known.');

/** There are no areas for widgets and no types of them (interface behaviour, section 38). */
export function widgetRoutes(): readonly Route<Model, Session>[] {
  return [...sidebarRoutes(), ...typeRoutes(), ...itemRoutes()];
}

function sidebarRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: sidebarSchema } as const;
  const args = { id: sidebarId, context: contextArg };
  const widgets = second(z.array(z.string()).describe('Nested widgets.'));
  return [
    {
      ...{ ...route, pattern: `/${CONTENT}/sidebars` },
      endpoints: [{ methods: ['GET'], args: listArgs, permission: mayManage, query: () => emptyList(), depends }],
    },
    {
      ...{ ...route, pattern: `/${CONTENT}/sidebars/(?P<id>[\\w-]+)` },
      endpoints: [
        { methods: ['GET'], args, permission: mayManage, query: noSidebar, depends },
        {
          ...{ methods: ['POST', 'PUT', 'PATCH'], args: { id: sidebarId, widgets }, permission: mayManage },
          command: noSidebar,
        },
      ],
    },
  ];
}

function typeRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: widgetTypeSchema } as const;
  const args = { id: typeId, context: contextArg };
  return [
    {
      ...{ ...route, pattern: `/${CONTENT}/widget-types` },
      endpoints: [{ methods: ['GET'], args: listArgs, permission: mayManage, query: () => emptyList(), depends }],
    },
    {
      ...{ ...route, pattern: `/${CONTENT}/widget-types/(?P<id>[a-zA-Z0-9_-]+)` },
      endpoints: [
        {
          methods: ['GET'],
          args,
          permission: (call) => mayManage(call) ?? noWidgetType(),
          query: noWidgetType,
          depends,
        },
      ],
    },
  ];
}

function itemRoutes(): readonly Route<Model, Session>[] {
  const route = { namespace: CONTENT, schema: widgetSchema } as const;
  const force = second(
    z.boolean().describe('Whether to force removal of the widget, or move it to the inactive sidebar.'),
  );
  return [
    {
      ...{ ...route, pattern: `/${CONTENT}/widgets` },
      endpoints: [
        {
          ...{ methods: ['GET'], args: { ...listArgs, sidebar: ofSidebar }, permission: mayManage },
          ...{ query: () => emptyList(), depends },
        },
        {
          methods: ['POST'],
          args: { id: widgetId, ...widgetArgs },
          permission: mayManage,
          command: noSuchWidget,
        },
      ],
    },
    {
      ...{ ...route, pattern: `/${CONTENT}/widgets/(?P<id>[\\w\\-]+)` },
      endpoints: [
        {
          ...{ methods: ['GET'], args: { id: widgetId, context: contextArg }, permission: mayManage },
          ...{ query: noWidget, depends },
        },
        {
          ...{ methods: ['POST', 'PUT', 'PATCH'], args: { id: widgetId, ...widgetArgs }, permission: mayManage },
          command: noWidget,
        },
        { methods: ['DELETE'], args: { id: widgetId, force }, permission: mayManage, command: noWidget },
      ],
    },
  ];
}

function mayManage({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'edit_theme_options')
    ? null
    : refuse('rest_cannot_manage_widgets', 'Sorry, you are not allowed to manage widgets on this site.');
}
