import { z } from 'zod';
import { pluginsOf } from '#catalogue/plugins.ts';
import type { Session } from '#commands/session.ts';
import { extensions } from '#domain/extensions/area.ts';
import type { BundledPlugin } from '#domain/extensions/catalogue.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { listOf } from '#text/shapes.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { noSuch } from '../records/answers.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { editing, everywhere, whole } from '../records/property.ts';
import { contextArg, inSecondPass } from '../records/usual-args.ts';

type PluginTypes = ReadFieldTypes<BundledPlugin, Model>;

const pluginSchema = (): unknown => recordSchema('plugin', pluginFields.properties());

const route = { namespace: CONTENT, schema: pluginSchema } as const;
const collection = `/${CONTENT}/plugins`;
const { bool, field, text } = fieldConstructors<PluginTypes>({ readonly: true });

const depends = () => ['site', 'plugins'];
const statuses = ['inactive', 'active'] as const;
const listArgs: Args<Model> = {
  context: contextArg,
  search: { schema: z.string().describe('Limit results to those matching a string.') },
  status: inSecondPass(z.array(z.enum(statuses)).describe('Limits results to plugins with the given status.')),
};
const installArgs: Args<Model> = {
  slug: { schema: z.string().describe('Slug of a plugin in a directory.'), required: true },
  status: inSecondPass(z.enum(statuses).default('inactive').describe('The plugin activation status.')),
};

/** Parts of the server as a read-only list of plugins, for administrators (interface behaviour, section 38). */
export function pluginListRoutes(deployment: Deployment): readonly Route<Model, Session>[] {
  const all = (model: Model) => pluginsOf(deployment, model.plugin(extensions));
  const list = (call: Call<Model>): Answer => {
    const rows = all(call.model).filter(isMeant(call));
    return { body: { kind: 'list', records: rows.map((row) => recordOf(row, call)) } };
  };
  const named = (call: Call<Model>) => all(call.model).find((one) => pluginKey(one) === call.params['plugin']);
  const mayShow = (call: Call<Model>) => mayView(call) ?? (named(call) === undefined ? noPlugin() : null);
  const show = (call: Call<Model>): Answer | Refusal => {
    const row = named(call);
    return row === undefined ? noPlugin() : { body: { kind: 'record', record: recordOf(row, call) } };
  };
  const plugin = { schema: z.string().describe('The plugin file.') };
  return [
    {
      ...route,
      pattern: collection,
      endpoints: [
        { methods: ['GET'], args: listArgs, permission: mayView, query: list, depends },
        { methods: ['POST'], args: installArgs, permission: nobody, command: nobody },
      ],
    },
    {
      ...route,
      pattern: `${collection}/(?P<plugin>[^.\\/]+(?:\\/[^.\\/]+)?)`,
      endpoints: [
        { methods: ['GET'], args: { plugin, context: contextArg }, permission: mayShow, query: show, depends },
      ],
    },
  ];
}

const noPlugin = noSuch('rest_plugin_not_found', 'Plugin not found.');
const nobody = noSuch('rest_cannot_install_plugin', 'Sorry, plugins cannot be installed on this server.');

function mayView({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'activate_plugins')
    ? null
    : refuse('rest_cannot_view_plugins', 'Sorry, you are not allowed to manage plugins for this site.');
}

function isMeant({ params }: Call<Model>): (plugin: BundledPlugin) => boolean {
  const words = String(params['search'] ?? '').toLowerCase();
  const wanted = listOf(params['status']) ?? [];
  return ({ name, slug, active }) =>
    (wanted.length === 0 || wanted.includes(active ? 'active' : 'inactive')) &&
    `${name} ${slug}`.toLowerCase().includes(words);
}

function recordOf(plugin: BundledPlugin, { params, model }: Call<Model>) {
  return pluginFields.record(params['context'] as Context, plugin, model);
}

const empty = (name: string, context = whole) =>
  text(name, context, 'Empty: the plugin is part of the server.', { read: () => '' });

const fields: readonly Field<PluginTypes>[] = [
  text('plugin', everywhere, 'The plugin file.', { read: (row) => pluginKey(row) }),
  field('status', everywhere, 'The plugin activation status.', {
    schema: () => z.enum(['inactive', 'active']),
    json: ({ active }) => (active ? '"active"' : '"inactive"'),
  }),
  text('name', everywhere, 'The plugin name.'),
  ...['plugin_uri', 'author', 'author_uri'].map((name) => empty(name)),
  field('description', whole, 'The plugin description.', {
    schema: () =>
      z
        .object({
          raw: z.string().meta({ description: 'The raw plugin description.', context: editing }),
          rendered: z.string().describe('The plugin description formatted for display.'),
        })
        .partial(),
    json: ({ name }) => {
      const description = `${name}: part of this server.`;
      return asciiJson({ raw: description, rendered: description });
    },
  }),
  empty('version'),
  bool('network_only', everywhere, 'Whether the plugin can only be activated network-wide.', { json: () => 'false' }),
  ...['requires_wp', 'requires_php'].map((name) => empty(name, everywhere)),
  text('textdomain', whole, "The plugin's text domain.", { read: ({ slug }) => slug }),
  {
    name: '_links',
    context: everywhere,
    json: (row, model) => `{"self":[{"href":"${linkParts(model.site()).rest}/plugins/${pluginKey(row)}"}]}`,
  },
];

const pluginFields = defineFields<PluginTypes>(fields)(null);

/** Its id in the interface: folder and file. */
function pluginKey({ slug }: BundledPlugin): string {
  return `${slug}/${slug}`;
}
