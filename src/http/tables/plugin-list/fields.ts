import { z } from 'zod';
import type { BundledPlugin } from '#domain/extensions/catalogue.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';

interface PluginTypes {
  readonly kind: null;
  readonly row: BundledPlugin;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const { bool, field, text } = fieldConstructors<PluginTypes>();

const empty = (name: string, context = whole) =>
  text(name, context, 'Empty: the plugin is part of the server.', { readonly: true, read: () => '' });

const fields: readonly Field<PluginTypes>[] = [
  text('plugin', everywhere, 'The plugin file.', { readonly: true, read: (row) => pluginKey(row) }),
  field('status', everywhere, 'The plugin activation status.', {
    readonly: true,
    schema: () => z.enum(['inactive', 'active']),
    json: ({ active }) => (active ? '"active"' : '"inactive"'),
  }),
  text('name', everywhere, 'The plugin name.', { readonly: true }),
  ...['plugin_uri', 'author', 'author_uri'].map((name) => empty(name)),
  field('description', whole, 'The plugin description.', {
    readonly: true,
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
  bool('network_only', everywhere, 'Whether the plugin can only be activated network-wide.', {
    readonly: true,
    json: () => 'false',
  }),
  ...['requires_wp', 'requires_php'].map((name) => empty(name, everywhere)),
  text('textdomain', whole, "The plugin's text domain.", { readonly: true, read: ({ slug }) => slug }),
  {
    name: '_links',
    context: everywhere,
    json: (row, model) => `{"self":[{"href":"${linkParts(model.site()).rest}/plugins/${pluginKey(row)}"}]}`,
  },
];

export const pluginFields = defineFields<PluginTypes>(fields)(null);

export const pluginSchema = (): unknown => recordSchema('plugin', pluginFields.properties());

/** Its id in the interface: folder and file. */
export function pluginKey({ slug }: BundledPlugin): string {
  return `${slug}/${slug}`;
}
