import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { post } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { maySeeEditors } from '#site/rights.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { statuses as filterWords } from '../entries/args.ts';
import { keyedBy } from '../records/answers.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { editing, everywhere, whole } from '../records/property.ts';
import { contextArg } from '../records/usual-args.ts';

interface StatusRow {
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

type StatusTypes = ReadFieldTypes<StatusRow, Model>;

const namespace = CONTENT;
const collection = `/${namespace}/statuses`;
const { bool, text } = fieldConstructors<StatusTypes>({ readonly: true });

/** Every field of statuses, in the order in which records have them. */
const fields: readonly Field<StatusTypes>[] = [
  text('name', everywhere, 'The title for the status.'),
  bool('private', editing, 'Whether posts with this status should be private.', {
    read: (row) => row.private === true,
  }),
  bool('protected', editing, 'Whether posts with this status should be protected.', {
    read: (row) => row.protected === true,
  }),
  bool('public', whole, 'Whether posts of this status should be shown in the front end of the site.', {
    read: (row) => row.public === true,
  }),
  bool('queryable', whole, 'Whether posts with this status should be publicly-queryable.', {
    read: (row) => row.public === true,
  }),
  bool('show_in_list', editing, 'Whether to include posts in the edit listing for their post type.', {
    read: (row) => row.unlisted !== true,
  }),
  text('slug', everywhere, 'An alphanumeric identifier for the status.'),
  bool('date_floating', whole, 'Whether posts of this status may have floating published dates.', {
    read: (row) => row.floating === true,
  }),
  { name: '_links', context: everywhere, json: linksJson },
];

const statusFields = defineFields<StatusTypes>(fields)(null);

const depends = () => ['site', 'plugins'];
const slug = { schema: z.string().describe('An alphanumeric identifier for the status.') };
const itemArgs: Args<Model> = { status: slug, context: contextArg };

/** All statuses in the order of the list. */
const rows: readonly StatusRow[] = [
  { slug: 'publish', name: 'Published', public: true },
  { slug: 'future', name: 'Scheduled', protected: true },
  { slug: 'draft', name: 'Draft', protected: true, floating: true },
  { slug: 'pending', name: 'Pending', protected: true, floating: true },
  { slug: 'private', name: 'Private', private: true },
  { slug: 'trash', name: 'Trash', unlisted: true },
];

/** Statuses that collections accept but that have no record. */
const hidden: ReadonlySet<string> = new Set(filterWords.filter((word) => word !== 'any'));

/** Statuses of entries (interface behaviour, section 31). */
export function statusRoutes(): readonly Route<Model, Session>[] {
  const schema = statusSchema;
  return [
    {
      namespace,
      pattern: collection,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { context: contextArg },
          permission: mayList,
          query: listStatuses,
          depends,
          keyed: true,
        },
      ],
    },
    {
      namespace,
      pattern: `${collection}/(?P<status>[\\w-]+)`,
      schema,
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: mayShow, query: showStatus, depends }],
    },
  ];
}

function mayList({ params, viewer, model }: Call<Model>): Refusal | null {
  return params['context'] !== 'edit' || maySeeEditors(viewer, model)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to manage post statuses.');
}

function mayShow({ params, viewer, model }: Call<Model>): Refusal | null {
  const word = String(params['status']);
  const row = find(word);
  if (row === undefined && !hidden.has(word)) return refuse('rest_status_invalid', 'Invalid status.');
  return row !== undefined && maySee(viewer, row, model)
    ? null
    : refuse('rest_cannot_read_status', 'Cannot view status.');
}

function listStatuses({ params, viewer, model }: Call<Model>): Answer {
  const context = params['context'] as Context;
  const seen = rows.filter((row) => maySee(viewer, row, model));
  return keyedBy(seen.map((row) => [row.slug, statusFields.record(context, row, model)]));
}

function showStatus({ params, model }: Call<Model>): Answer | Refusal {
  const row = find(String(params['status']));
  if (row === undefined) return refuse('rest_status_invalid', 'Invalid status.');
  return { body: { kind: 'record', record: statusFields.record(params['context'] as Context, row, model) } };
}

function find(word: string): StatusRow | undefined {
  return rows.find((row) => row.slug === word);
}

function maySee(viewer: Viewer, row: StatusRow, model: Model): boolean {
  return row.public === true || maySeeEditors(viewer, model);
}

const statusSchema = (): unknown => recordSchema('status', statusFields.properties());

function linksJson({ slug }: StatusRow, model: Model): string {
  const { rest } = linkParts(model.site());
  const query = slug === 'publish' ? '' : `?status=${slug}`;
  return `{"archives":[{"href":"${rest}/${post.base}${query}"}]}`;
}
