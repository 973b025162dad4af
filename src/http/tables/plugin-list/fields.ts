import { z } from 'zod';
import type { Plugin } from '#domain/plugins/extensions/catalogue.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';

interface PluginTypes {
  readonly kind: null;
  readonly row: Plugin;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const text = () => z.string();
const shown = { context: everywhere, readonly: true } as const;
const full = { context: whole, readonly: true } as const;

const empty = (name: string, where: typeof shown | typeof full): Field<PluginTypes> => ({
  ...{ name, ...where },
  description: 'Empty: the plugin is part of the server.',
  schema: text,
  json: () => '""',
});

const fields: readonly Field<PluginTypes>[] = [
  {
    ...{ name: 'plugin', ...shown },
    description: 'The plugin file.',
    schema: text,
    json: (row) => asciiJson(idOf(row)),
  },
  {
    ...{ name: 'status', ...shown },
    description: 'The plugin activation status.',
    schema: () => z.enum(['inactive', 'active']),
    json: ({ active }) => (active ? '"active"' : '"inactive"'),
  },
  {
    ...{ name: 'name', ...shown },
    description: 'The plugin name.',
    schema: text,
    json: ({ name }) => asciiJson(name),
  },
  ...['plugin_uri', 'author', 'author_uri'].map((name) => empty(name, full)),
  {
    ...{ name: 'description', ...full },
    description: 'The plugin description.',
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
  },
  empty('version', full),
  {
    ...{ name: 'network_only', ...shown },
    description: 'Whether the plugin can only be activated network-wide.',
    schema: () => z.boolean(),
    json: () => 'false',
  },
  ...['requires_wp', 'requires_php'].map((name) => empty(name, shown)),
  {
    ...{ name: 'textdomain', ...full },
    description: "The plugin's text domain.",
    schema: text,
    json: ({ slug }) => asciiJson(slug),
  },
  {
    name: '_links',
    context: everywhere,
    json: (row, model) => `{"self":[{"href":"${linkParts(model.site()).rest}/plugins/${idOf(row)}"}]}`,
  },
];

export const pluginFields = defineFields<PluginTypes>(fields)(null);

export const pluginSchema = (): unknown => recordSchema('plugin', pluginFields.properties());

/** Its id in the interface: folder and file. */
export function idOf({ slug }: Plugin): string {
  return `${slug}/${slug}`;
}
