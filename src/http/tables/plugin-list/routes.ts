import { z } from 'zod';
import { pluginsOf } from '#catalogue/plugins.ts';
import type { Session } from '#commands/session.ts';
import { extensions } from '#domain/extensions/area.ts';
import type { BundledPlugin } from '#domain/extensions/catalogue.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { listOf } from '#text/shapes.ts';
import { noSuch } from '../../engine/absent.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { contextArg } from '../../engine/usual-args.ts';
import { pluginFields, pluginKey, pluginSchema } from './fields.ts';

const route = { namespace: CONTENT, schema: pluginSchema } as const;
const collection = `/${CONTENT}/plugins`;
const depends = () => ['site', 'plugins'];
const statuses = ['inactive', 'active'] as const;
const second = (schema: z.ZodType) => ({ schema, pass: 2 }) as const;
const listArgs: Args<Model> = {
  context: contextArg,
  search: { schema: z.string().describe('Limit results to those matching a string.') },
  status: second(z.array(z.enum(statuses)).describe('Limits results to plugins with the given status.')),
};
const installArgs: Args<Model> = {
  slug: { schema: z.string().describe('Slug of a plugin in a directory.'), required: true },
  status: second(z.enum(statuses).default('inactive').describe('The plugin activation status.')),
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
      ...{ ...route, pattern: collection },
      endpoints: [
        { methods: ['GET'], args: listArgs, permission: mayView, query: list, depends },
        { methods: ['POST'], args: installArgs, permission: nobody, command: nobody },
      ],
    },
    {
      ...{ ...route, pattern: `${collection}/(?P<plugin>[^.\\/]+(?:\\/[^.\\/]+)?)` },
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
