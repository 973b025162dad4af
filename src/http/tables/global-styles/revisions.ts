import { z } from 'zod';
import { changeKey, type SiteStyles, type StyleFields, siteStyles } from '#domain/site-styles/area.ts';
import { gmtNow, toLocal } from '#domain/time/local.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { everywhere, whole } from '../records/property.ts';

type RevisionTypes = ReadFieldTypes<SiteStyles, Model>;

const { field, int, text } = fieldConstructors<RevisionTypes>({ readonly: true });
const date = (row: SiteStyles) => gmtNow(Date.parse(row.at));
const local = (row: SiteStyles, model: Model) => toLocal(date(row), model.site().timezone);
const schema = () => z.string().meta({ format: 'date-time' });
const map = () => z.record(z.string(), z.unknown());
const zone = "The date of the revision, in the site's timezone.";
const gmt = 'The date of the revision, as GMT.';

/** Every field of a change of the styles, in the order in which records have them. */
const fields: readonly Field<RevisionTypes>[] = [
  int('author', everywhere, 'The ID for the author of the revision.'),
  text('date', everywhere, zone, { schema, read: local }),
  text('modified', whole, zone, { schema, read: local }),
  text('date_gmt', whole, gmt, { schema, read: date }),
  text('modified_gmt', whole, gmt, { schema, read: date }),
  int('id', everywhere, 'Unique identifier for the revision.', { read: (row) => row.revision }),
  int('parent', everywhere, 'The ID for the parent of the revision.', { read: () => stylesId }),
  field('settings', whole, 'Global settings.', { schema: map, json: ({ settings = {} }) => asciiJson(settings) }),
  field('styles', whole, 'Global styles.', { schema: map, json: ({ styles = {} }) => asciiJson(styles) }),
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
