import { z } from 'zod';
import type { SiteStyles, StyleFields } from '#domain/site-styles/area.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { stylesId } from '#site/design.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { resultOf } from '#text/prepared-texts.ts';
import { named, only, text } from '../entries/body.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../records/field.ts';
import { described, everywhere, whole } from '../records/property.ts';

interface StyleTypes {
  readonly kind: null;
  readonly row: SiteStyles;
  readonly showing: { readonly model: Model; readonly viewer: Viewer };
  readonly model: Model;
  readonly input: StyleFields;
}

/** Title of the styles until a user sets another one. */
export const untitled = 'Custom Styles';

/** Default styles of the pages: only the widths in their style sheet. */
export const baseStyles = {
  settings: {
    color: {},
    typography: {},
    spacing: {},
    layout: { contentSize: '42rem', wideSize: '42rem' },
  },
  styles: {},
};

const map = () => z.record(z.string(), z.unknown());
const part = (description: string) => described(z.string(), description, { context: everywhere });

const { field, int } = fieldConstructors<StyleTypes>();

/** Every field of the styles, in the order in which the record has them. */
const fields: readonly Field<StyleTypes>[] = [
  int('id', everywhere, 'ID of global styles config.', { readonly: true, read: () => stylesId }),
  field('settings', whole, 'Global settings.', {
    schema: map,
    json: ({ settings = {} }) => asciiJson(settings),
    write: named<StyleFields>('settings'),
  }),
  field('styles', whole, 'Global styles.', {
    schema: map,
    json: ({ styles = {} }) => asciiJson(styles),
    write: named<StyleFields>('styles'),
  }),
  field('title', everywhere, 'Title of the global styles variation.', {
    schema: () =>
      z
        .object({
          raw: part('Title for the global styles variation, as it exists in the database.'),
          rendered: part('HTML title for the post, transformed for display.'),
        })
        .partial(),
    json: ({ title = untitled }) => `{"raw":${asciiJson(title)},"rendered":${resultOf('title', title)}}`,
    arg: () => ({ unchecked: true }),
    write: ({ sent }) => only<StyleFields, 'title'>('title', text(sent('title'))),
  }),
  { name: '_links', context: everywhere, json: linksJson },
];

export const styleFields = defineFields<StyleTypes>(fields)(null);

export const styleSchema = (): unknown => recordSchema('wp_global_styles', styleFields.properties());

function linksJson({ revision }: SiteStyles, { model, viewer }: StyleTypes['showing']): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const href = `"href":"${rest}/global-styles/${stylesId}"`;
  const links = [
    `"self":[{${href}}]`,
    `"about":[{"href":"${rest}/types/wp_global_styles"}]`,
    `"version-history":[{"count":${revision},"href":"${rest}/global-styles/${stylesId}/revisions"}]`,
    ...(may(asWriter(viewer), 'edit_theme_options')
      ? ['publish', 'edit-css'].map((action) => `"${prefix}:action-${action}":[{${href}}]`)
      : []),
    curies,
  ];
  return `{${links.join()}}`;
}
