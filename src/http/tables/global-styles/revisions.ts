import { z } from 'zod';
import { changeKey, type SiteStyles, type StyleFields, siteStyles } from '#domain/site-styles/area.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import { everywhere, whole } from '../../engine/property.ts';

interface RevisionTypes {
  readonly kind: null;
  readonly row: SiteStyles;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { readonly: true } as const;
const date = (row: SiteStyles) => gmtNow(Date.parse(row.at));
const local = (row: SiteStyles, model: Model) => toLocal(date(row), model.site().timezone);
const dateTime = () => z.string().meta({ format: 'date-time' });

/** Every field of a change of the styles, in the order in which records have them. */
const fields: readonly Field<RevisionTypes>[] = [
  {
    ...{ name: 'author', context: everywhere, ...shown },
    description: 'The ID for the author of the revision.',
    schema: () => z.int(),
    json: (row) => String(row.author),
  },
  ...(['date', 'modified'] as const).map(
    (name): Field<RevisionTypes> => ({
      ...{ name, context: name === 'date' ? everywhere : whole, ...shown, schema: dateTime },
      description: "The date of the revision, in the site's timezone.",
      json: (row, model) => asciiJson(local(row, model)),
    }),
  ),
  ...(['date_gmt', 'modified_gmt'] as const).map(
    (name): Field<RevisionTypes> => ({
      ...{ name, context: whole, ...shown, schema: dateTime },
      description: 'The date of the revision, as GMT.',
      json: (row) => asciiJson(date(row)),
    }),
  ),
  {
    ...{ name: 'id', context: everywhere, ...shown },
    description: 'Unique identifier for the revision.',
    schema: () => z.int(),
    json: (row) => String(row.revision),
  },
  {
    ...{ name: 'parent', context: everywhere, ...shown },
    description: 'The ID for the parent of the revision.',
    schema: () => z.int(),
    json: () => String(stylesId),
  },
  {
    ...{ name: 'settings', context: whole, ...shown },
    description: 'Global settings.',
    schema: () => z.record(z.string(), z.unknown()),
    json: ({ settings = {} }) => asciiJson(settings),
  },
  {
    ...{ name: 'styles', context: whole, ...shown },
    description: 'Global styles.',
    schema: () => z.record(z.string(), z.unknown()),
    json: ({ styles = {} }) => asciiJson(styles),
  },
  {
    name: '_links',
    context: everywhere,
    json: (_, model) => {
      const { rest } = linkParts(model.site());
      return `{"parent":[{"href":"${rest}/global-styles/${stylesId}"}]}`;
    },
  },
];

export const styleRevisionFields = defineFields<RevisionTypes>(fields)(null);

export const styleRevisionSchema = (): unknown =>
  recordSchema('wp_global_styles-revision', styleRevisionFields.properties());

export function changesOf(model: Model): readonly number[] {
  const { revision } = model.plugin(siteStyles);
  return Array.from({ length: revision }, (_, i) => revision - i);
}

/** The styles after a change. What it did not set comes from earlier changes. */
export function stylesAfter(revision: number, model: Model): SiteStyles {
  const change = model.plugin(siteStyles, changeKey(revision));
  let { settings, styles }: StyleFields = change;
  for (let at = revision - 1; at > 0 && (settings === undefined || styles === undefined); at -= 1) {
    const earlier = model.plugin(siteStyles, changeKey(at));
    settings ??= earlier.settings;
    styles ??= earlier.styles;
  }
  return { ...change, settings: settings ?? {}, styles: styles ?? {} };
}
