import { isIP } from 'node:net';
import { z } from 'zod';
import { renderComment } from '#blocks/render-comment.ts';
import { resolutions } from '#domain/comment/vocabulary.ts';
import { isEmail } from '#domain/user/naming.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { avatars } from '#site/addresses/items.ts';
import { commentHostOf, hostLink, hostPlace, methodsForComment } from '#site/comments.ts';
import { addressBelow, picturedBy } from '#site/rendering/comments.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { fault, wrongType } from '../../engine/faults.ts';
import type { Context, Fault } from '../../engine/types.ts';
import { checkMeta } from '../entries/checks.ts';
import { defineFields, type Field, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { described, editing, raw, rendered, whole } from '../records/property.ts';

interface CommentTypes {
  readonly kind: null;
  readonly row: CommentRow;
  readonly showing: CommentShowing;
  readonly model: Model;
  readonly input: object;
}
type CommentField = Field<CommentTypes>;

export interface CommentShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

/** The member of `meta` by which a note resolves or reopens the note it replies to. */
export const RESOLUTION = '_wp_note_status';

const shownEverywhere: readonly Context[] = ['view', 'edit', 'embed'];
const shortestEmail = 6;

const size = (pixels: number) =>
  described(z.string(), `Avatar URL with image size of ${pixels} pixels.`, { context: shownEverywhere, format: 'uri' });

const { field, int, text } = fieldConstructors<CommentTypes>();

/** Every field of comments, in the order in which records have them. */
const fields: readonly CommentField[] = [
  int('id', shownEverywhere, 'Unique identifier for the comment.', { readonly: true }),
  int('post', whole, 'The ID of the associated post object.', {
    default: 0,
    arg: () => ({ schema: z.int().describe('The ID of the associated post object.') }),
  }),
  int('parent', shownEverywhere, 'The ID for the parent of the comment.', {
    default: 0,
    arg: () => ({ schema: z.int().describe('The ID for the parent of the comment.') }),
  }),
  int('author', shownEverywhere, 'The ID of the user object, if author was a user.'),
  text('author_name', shownEverywhere, 'Display name for the comment author.', { read: (row) => row.name }),
  text('author_email', editing, 'Email address for the comment author.', {
    format: 'email',
    read: (row) => row.email,
    arg: () => ({ pass: 2, check: checkOwnEmail }),
  }),
  text('author_url', shownEverywhere, 'URL for the comment author.', { format: 'uri', read: (row) => row.url }),
  text('author_ip', editing, 'IP address for the comment author.', {
    format: 'ip',
    read: (row) => row.ip,
    arg: () => ({ check: checkIp }),
  }),
  text('author_user_agent', editing, 'User agent for the comment author.', { read: (row) => row.agent }),
  text('date', shownEverywhere, "The date the comment was published, in the site's timezone.", { format: 'date-time' }),
  text('date_gmt', whole, 'The date the comment was published, as GMT.', {
    format: 'date-time',
    read: (row) => row.dateGmt,
  }),
  field('content', shownEverywhere, 'The content for the comment.', {
    schema: () =>
      z
        .object({
          raw: raw('Content for the comment', editing),
          rendered: rendered('HTML content for the comment', shownEverywhere),
        })
        .partial(),
    json: contentJson,
    arg: () => ({ unchecked: true }),
  }),
  text('link', shownEverywhere, 'URL to the comment.', {
    readonly: true,
    format: 'uri',
    read: (row, { model, viewer }) => commentLinkOf(row, model, viewer),
  }),
  text('status', whole, 'State of the comment.', { json: (row) => `"${row.status}"` }),
  text('type', shownEverywhere, 'Type of the comment.', {
    readonly: true,
    default: 'comment',
    json: (row) => `"${row.kind}"`,
  }),
  field('author_avatar_urls', shownEverywhere, 'Avatar URLs for the comment author.', {
    readonly: true,
    schema: () => z.object({ 24: size(24), 48: size(48), 96: size(96) }),
    json: (row, { model }) => asciiJson(avatars(picturedBy(row, model), model.site().storeUrl)),
  }),
  field('meta', whole, 'Meta fields.', {
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
  }),
  { name: '_links', context: shownEverywhere, json: commentLinksJson },
];

const listing =
  'id author author_email author_ip author_name author_url author_user_agent content date date_gmt link parent post status type author_avatar_urls meta';

const commentFields = defineFields<CommentTypes>(fields, listing)(null);

/** A comment as a record (interface behaviour, section 35). */
export function commentRecord(row: CommentRow, showing: CommentShowing): FieldRecord {
  return commentFields.record(showing.context, row, showing);
}

export function commentSchema(): unknown {
  return recordSchema('comment', commentFields.properties());
}

/** Arguments of create and update: the writable fields. */
export const commentBodyArgs = commentFields.args();

function commentLinkOf(comment: CommentRow, model: Model, viewer: CommentShowing['viewer']): string {
  const host = commentHostOf(comment.post, model);
  return addressBelow(host === null ? '' : hostLink(host, model, viewer), comment, model);
}

/** The host of the site's address; links to other hosts get `nofollow`. */
export function siteHost(model: Model): string {
  return new URL(model.site().url).hostname;
}

function contentJson(row: CommentRow, { context, model }: CommentShowing): string {
  const shown = `"rendered":${asciiJson(renderComment(row.content, siteHost(model)))}`;
  return context === 'edit' ? `{${shown},"raw":${asciiJson(row.content)}}` : `{${shown}}`;
}

function commentLinksJson(row: CommentRow, { viewer, model }: CommentShowing): JsonText {
  const { rest } = linkParts(model.site());
  const collection = `${rest}/comments`;
  const methods = methodsForComment(viewer, row, model);
  const hints = methods.length === 0 ? '' : `,"targetHints":{"allow":${JSON.stringify(methods)}}`;
  const host = commentHostOf(row.post, model);
  const place = host && hostPlace(host);
  const links = [
    `"self":[{"href":"${collection}/${row.id}"${hints}}]`,
    `"collection":[{"href":"${collection}"}]`,
    ...(row.author === 0 ? [] : [`"author":[{"embeddable":true,"href":"${rest}/users/${row.author}"}]`]),
    ...(place === null
      ? []
      : [`"up":[{"embeddable":true,"post_type":"${place.type}","href":"${rest}/${place.path}"}]`]),
    ...(row.parent === 0 ? [] : [`"in-reply-to":[{"embeddable":true,"href":"${collection}/${row.parent}"}]`]),
    ...(model.comments.hasAnswers(row.id)
      ? [`"children":[{"embeddable":true,"href":"${collection}?parent=${row.id}${sameKind(row)}"}]`]
      : []),
  ];
  return `{${links.join()}}`;
}

function sameKind({ kind }: CommentRow): string {
  return kind === 'note' ? '&type=note&status=all' : '';
}

export function checkAuthorEmail(value: unknown): Fault | null {
  const isFine = typeof value === 'string' && value.length >= shortestEmail && isEmail(value);
  return isFine ? null : fault('rest_invalid_email', 'Invalid email address.');
}

/** The same for an optional address. */
function checkOwnEmail(value: unknown): Fault | null {
  return value === '' ? null : checkAuthorEmail(value);
}

function checkIp(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType('author_ip', 'string');
  return isIP(value) === 0 ? fault('rest_invalid_ip', 'author_ip is not a valid IP address.') : null;
}
