import { post } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';

export interface StatusRow {
  readonly slug: EntryStatus;
  readonly name: string;
  readonly public?: true;
  /** Readable only for users who may edit the entry: it is not finished. */
  readonly protected?: true;
  /** Readable only for users who may read private entries. */
  readonly private?: true;
  readonly unlisted?: true;
  readonly floating?: true;
}

interface StatusTypes {
  readonly kind: null;
  readonly row: StatusRow;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const { bool, text } = fieldConstructors<StatusTypes>();

/** Every field of statuses, in the order in which records have them. */
const fields: readonly Field<StatusTypes>[] = [
  text('name', everywhere, 'The title for the status.', { readonly: true }),
  bool('private', editing, 'Whether posts with this status should be private.', {
    readonly: true,
    read: (row) => row.private === true,
  }),
  bool('protected', editing, 'Whether posts with this status should be protected.', {
    readonly: true,
    read: (row) => row.protected === true,
  }),
  bool('public', whole, 'Whether posts of this status should be shown in the front end of the site.', {
    readonly: true,
    read: (row) => row.public === true,
  }),
  bool('queryable', whole, 'Whether posts with this status should be publicly-queryable.', {
    readonly: true,
    read: (row) => row.public === true,
  }),
  bool('show_in_list', editing, 'Whether to include posts in the edit listing for their post type.', {
    readonly: true,
    read: (row) => row.unlisted !== true,
  }),
  text('slug', everywhere, 'An alphanumeric identifier for the status.', { readonly: true }),
  bool('date_floating', whole, 'Whether posts of this status may have floating published dates.', {
    readonly: true,
    read: (row) => row.floating === true,
  }),
  { name: '_links', context: everywhere, json: linksJson },
];

export const statusFields = defineFields<StatusTypes>(fields)(null);

export const statusSchema = (): unknown => recordSchema('status', statusFields.properties());

function linksJson({ slug }: StatusRow, model: Model): string {
  const { rest } = linkParts(model.site());
  const query = slug === 'publish' ? '' : `?status=${slug}`;
  return `{"archives":[{"href":"${rest}/${post.base}${query}"}]}`;
}
