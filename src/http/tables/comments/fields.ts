import { z } from 'zod';
import { resolutions } from '#domain/comment/vocabulary.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { avatars } from '#site/addresses/users.ts';
import { hostLink, hostOf } from '#site/comments/hosts.ts';
import { picturedBy } from '#site/rendering/comments.ts';
import { asciiJson } from '#text/json.ts';
import { resultOf } from '#text/suspended.ts';
import { defineFields, type Field, type FieldRecord, recordSchema } from '../../engine/field.ts';
import { described, editing, raw, rendered, whole } from '../../engine/property.ts';
import type { Context } from '../../engine/types.ts';
import { checkMeta } from '../entries/checks.ts';
import { checkIp, checkOwnEmail } from './checks.ts';
import { linksJson } from './relations.ts';
import type { Showing } from './showing.ts';

interface CommentTypes {
  readonly kind: null;
  readonly row: CommentRow;
  readonly showing: Showing;
  readonly model: Model;
  readonly input: object;
}
type CommentField = Field<CommentTypes>;

/** The member of `meta` by which a note resolves or reopens the note it replies to. */
export const RESOLUTION = '_wp_note_status';

const shownEverywhere: readonly Context[] = ['view', 'edit', 'embed'];
const text = () => z.string();
const size = (pixels: number) =>
  described(z.string(), `Avatar URL with image size of ${pixels} pixels.`, { context: shownEverywhere, format: 'uri' });

/** Every field of comments, in the order in which records have them. */
const fields: readonly CommentField[] = [
  {
    name: 'id',
    context: shownEverywhere,
    readonly: true,
    description: 'Unique identifier for the comment.',
    schema: () => z.int(),
    json: (row) => String(row.id),
  },
  {
    name: 'post',
    context: whole,
    description: 'The ID of the associated post object.',
    schema: () => z.int().default(0),
    json: (row) => String(row.post),
    arg: () => ({ schema: z.int().describe('The ID of the associated post object.') }),
  },
  {
    name: 'parent',
    context: shownEverywhere,
    description: 'The ID for the parent of the comment.',
    schema: () => z.int().default(0),
    json: (row) => String(row.parent),
    arg: () => ({ schema: z.int().describe('The ID for the parent of the comment.') }),
  },
  {
    name: 'author',
    context: shownEverywhere,
    description: 'The ID of the user object, if author was a user.',
    schema: () => z.int(),
    json: (row) => String(row.author),
  },
  {
    name: 'author_name',
    context: shownEverywhere,
    description: 'Display name for the comment author.',
    schema: text,
    json: (row) => asciiJson(row.name),
  },
  {
    name: 'author_email',
    context: editing,
    format: 'email',
    description: 'Email address for the comment author.',
    schema: text,
    json: (row) => asciiJson(row.email),
    arg: () => ({ pass: 2, check: checkOwnEmail }),
  },
  {
    name: 'author_url',
    context: shownEverywhere,
    format: 'uri',
    description: 'URL for the comment author.',
    schema: text,
    json: (row) => asciiJson(row.url),
  },
  {
    name: 'author_ip',
    context: editing,
    format: 'ip',
    description: 'IP address for the comment author.',
    schema: text,
    json: (row) => asciiJson(row.ip),
    arg: () => ({ check: checkIp }),
  },
  {
    name: 'author_user_agent',
    context: editing,
    description: 'User agent for the comment author.',
    schema: text,
    json: (row) => asciiJson(row.agent),
  },
  {
    name: 'date',
    context: shownEverywhere,
    format: 'date-time',
    description: "The date the comment was published, in the site's timezone.",
    schema: text,
    json: (row) => asciiJson(row.date),
  },
  {
    name: 'date_gmt',
    context: whole,
    format: 'date-time',
    description: 'The date the comment was published, as GMT.',
    schema: text,
    json: (row) => asciiJson(row.dateGmt),
  },
  {
    name: 'content',
    context: shownEverywhere,
    description: 'The content for the comment.',
    schema: () =>
      z
        .object({
          raw: raw('Content for the comment', editing),
          rendered: rendered('HTML content for the comment', shownEverywhere),
        })
        .partial(),
    json: contentJson,
    arg: () => ({ unchecked: true }),
  },
  {
    name: 'link',
    context: shownEverywhere,
    readonly: true,
    format: 'uri',
    description: 'URL to the comment.',
    schema: text,
    json: (row, { model, viewer }) => asciiJson(commentLink(row, model, viewer)),
  },
  {
    name: 'status',
    context: whole,
    description: 'State of the comment.',
    schema: text,
    json: (row) => `"${row.status}"`,
  },
  {
    name: 'type',
    context: shownEverywhere,
    readonly: true,
    description: 'Type of the comment.',
    schema: () => z.string().default('comment'),
    json: (row) => `"${row.kind}"`,
  },
  {
    name: 'author_avatar_urls',
    context: shownEverywhere,
    readonly: true,
    description: 'Avatar URLs for the comment author.',
    schema: () => z.object({ 24: size(24), 48: size(48), 96: size(96) }),
    json: (row, { model }) => asciiJson(avatars(picturedBy(row, model), model.site().url)),
  },
  {
    name: 'meta',
    context: whole,
    description: 'Meta fields.',
    schema: () =>
      z
        .object({
          [RESOLUTION]: z
            .literal([...resolutions, null])
            .meta({ type: ['string', 'null'], title: '', description: 'Note resolution status', default: '' }),
        })
        .partial(),
    json: (row) => `{"${RESOLUTION}":${row.resolution === '' ? 'null' : `"${row.resolution}"`}}`,
    arg: () => ({ check: checkMeta }),
  },
  { name: '_links', context: shownEverywhere, json: linksJson },
];

const listing =
  'id author author_email author_ip author_name author_url author_user_agent content date date_gmt link parent post status type author_avatar_urls meta';

const commentFields = defineFields<CommentTypes>(fields, listing)(null);

/** A comment as a record (interface behaviour, section 35). */
export function commentRecord(row: CommentRow, showing: Showing): FieldRecord {
  return commentFields.record(showing.context, row, showing);
}

export function commentSchema(): unknown {
  return recordSchema('comment', commentFields.properties());
}

/** Arguments of create and update: the writable fields. */
export const bodyArgs = commentFields.args();

export function commentLink({ id, post }: CommentRow, model: Model, viewer: Showing['viewer']): string {
  const host = hostOf(post, model);
  return `${host === null ? '' : hostLink(host, model, viewer)}#comment-${id}`;
}

/** The host of the site's address; links to other hosts get `nofollow`. */
export function siteHost(model: Model): string {
  return new URL(model.site().url).hostname;
}

function contentJson(row: CommentRow, { context, model }: Showing): string {
  const shown = `"rendered":${resultOf('comment', row.content, siteHost(model))}`;
  return context === 'edit' ? `{${shown},"raw":${asciiJson(row.content)}}` : `{${shown}}`;
}
