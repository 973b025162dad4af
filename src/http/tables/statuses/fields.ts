import { z } from 'zod';
import { post } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
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

const shown = { readonly: true } as const;
const yesOrNo = () => z.boolean();

/** Every field of statuses, in the order in which records have them. */
const fields: readonly Field<StatusTypes>[] = [
  {
    ...{ name: 'name', context: everywhere, ...shown },
    description: 'The title for the status.',
    schema: () => z.string(),
    json: (row) => asciiJson(row.name),
  },
  {
    ...{ name: 'private', context: editing, ...shown },
    description: 'Whether posts with this status should be private.',
    schema: yesOrNo,
    json: (row) => String(row.private === true),
  },
  {
    ...{ name: 'protected', context: editing, ...shown },
    description: 'Whether posts with this status should be protected.',
    schema: yesOrNo,
    json: (row) => String(row.protected === true),
  },
  {
    ...{ name: 'public', context: whole, ...shown },
    description: 'Whether posts of this status should be shown in the front end of the site.',
    schema: yesOrNo,
    json: (row) => String(row.public === true),
  },
  {
    ...{ name: 'queryable', context: whole, ...shown },
    description: 'Whether posts with this status should be publicly-queryable.',
    schema: yesOrNo,
    json: (row) => String(row.public === true),
  },
  {
    ...{ name: 'show_in_list', context: editing, ...shown },
    description: 'Whether to include posts in the edit listing for their post type.',
    schema: yesOrNo,
    json: (row) => String(row.unlisted !== true),
  },
  {
    ...{ name: 'slug', context: everywhere, ...shown },
    description: 'An alphanumeric identifier for the status.',
    schema: () => z.string(),
    json: (row) => asciiJson(row.slug),
  },
  {
    ...{ name: 'date_floating', context: whole, ...shown },
    description: 'Whether posts of this status may have floating published dates.',
    schema: yesOrNo,
    json: (row) => String(row.floating === true),
  },
  { name: '_links', context: everywhere, json: linksJson },
];

export const statusFields = defineFields<StatusTypes>(fields)(null);

export const statusSchema = (): unknown => recordSchema('status', statusFields.properties());

function linksJson({ slug }: StatusRow, model: Model): string {
  const { rest } = linkParts(model.site());
  const query = slug === 'publish' ? '' : `?status=${slug}`;
  return `{"archives":[{"href":"${rest}/${post.base}${query}"}]}`;
}
