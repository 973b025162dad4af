import { trimText } from '#blocks/blank.ts';
import { normaliseReferences, repairReferences } from '#blocks/references.ts';
import { markLinks } from '#blocks/render-comment.ts';
import { webAddress } from '#blocks/web-address.ts';
import * as comments from '#commands/comments.ts';
import type { Session } from '#commands/session.ts';
import type { CommentFields, NamedText } from '#domain/comment/commands.ts';
import { moderates } from '#domain/comment/rights.ts';
import { commentKinds, type Resolution, resolutions, statusWord } from '#domain/comment/vocabulary.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { plainLine, storedName } from '#domain/term/text.ts';
import { resolveDate } from '#domain/time/local.ts';
import { may, type Viewer, viewerOf } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditComment, commentHostOf, rightsOver } from '#site/comments.ts';
import { resultOf } from '#text/prepared-texts.ts';
import { isRecord } from '#text/shapes.ts';
import { deletedRecord } from '../../engine/field.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { text } from '../entries/body.ts';
import { isEmpty } from '../entries/permissions.ts';
import { RESOLUTION, siteHost } from './fields.ts';
import { findComment } from './permissions.ts';
import { commentsUrl, recordIn, shownComment } from './reads.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

/** `visitors`: the limit for visitors without an account. */
export const commentCreation =
  (visitors: comments.VisitorLimit): Command =>
  (call) => {
    const { params, viewer, model } = call;
    if (!isEmpty(params['id'])) return refuse('rest_comment_exists', 'Cannot create existing comment.');
    const kind = commentKinds.find((known) => known === params['type']) ?? 'comment';
    if (!isEmpty(params['type']) && params['type'] !== kind) {
      return refuse('rest_invalid_comment_type', 'Cannot create a comment with that type.');
    }
    const fields = fieldsIn(call, null);
    const { post = 0 } = fields;
    const id = comments.writeComment(model, { ...fields, kind, post }, visitors);
    if (isRefusal(id)) return id;
    const host = commentHostOf(post, model);
    const isHosts = host !== null && rightsOver(host, viewer, model).isEditable;
    const refusal = commentMetaRefusal(call, null, isHosts || moderates(viewer));
    if (refusal !== null) return refusal;
    const headers = { Location: `${commentsUrl(model)}/${id}` };
    return { ...after(call, id, moderates(viewer) ? 'edit' : 'view'), status: 201, headers };
  };

export const commentUpdate: Command = (call) => {
  const row = findComment(call);
  if (isRefusal(row)) return row;
  const type = call.sent('type') ?? row.kind;
  if (type !== row.kind)
    return refuse('rest_comment_invalid_type', 'Sorry, you are not allowed to change the comment type.');
  const refusal =
    comments.changeComment(call.model, row.id, fieldsIn(call, row)) ??
    commentMetaRefusal(call, row, canEditComment(call.viewer, row, call.model));
  return refusal ?? after(call, row.id, 'edit');
};

export const commentRemoval: Command = (call) => {
  const row = findComment(call);
  if (isRefusal(row)) return row;
  if (call.params['force'] !== true) return comments.trashComment(call.model, row.id) ?? after(call, row.id, 'edit');
  const record = deletedRecord(recordIn('edit', call, row), call.wants);
  comments.deleteComment(call.model, row.id);
  return { body: { kind: 'record', record }, noAllow: true };
};

function after(call: Call<Session>, id: number, context: Context): Answer {
  return shownComment(call, call.model.comments.get(id) as CommentRow, context);
}

/** The fields of a comment in a request; `before`: the comment to change. */
function fieldsIn(call: Call<Model>, before: CommentRow | null): CommentFields {
  const { params, sent, viewer, model, request } = call;
  const has = (name: string) => sent(name) !== undefined;
  const named = (name: string) => String(params[name] ?? '');
  const agent = plainLine(named('author_user_agent')) || (request.header('user-agent') ?? '');
  const content = contentIn(call, before);
  const date = dateIn(call);
  const status = has('status') ? statusWord(named('status')) : null;
  const resolution = resolutionIn(call);
  return {
    ...(has('post') ? { post: numberIn(params['post']) } : {}),
    ...(has('parent') ? { parent: numberIn(params['parent']) } : {}),
    ...(has('author') && sent('author') !== null ? { author: Number(params['author']) } : {}),
    ...(has('author_name') ? { name: nameOf(named('author_name')) } : {}),
    ...(has('author_email') ? { email: named('author_email').trim() } : {}),
    ...(has('author_url') ? { url: normaliseReferences(webAddress(named('author_url'))) } : {}),
    ip: has('author_ip') && moderates(viewer) ? named('author_ip') : request.peer || '127.0.0.1',
    ...(agent === '' ? {} : { agent: agent.slice(0, longestAgent).toWellFormed() }),
    ...(content === undefined ? {} : { content }),
    ...(date === null ? {} : { date }),
    ...(status === null ? {} : { status }),
    ...(resolution === undefined ? {} : { resolution }),
  };

  function contentIn({ sent: from }: Call<Model>, row: CommentRow | null): NamedText | undefined {
    const words = text(from('content'));
    const isTrusted = trusts(viewer) && (row === null || isTrustedAuthor(row, model));
    if (words !== undefined) return { sent: trimText(words), stored: storedWords(trimText(words), isTrusted, model) };
    if (row === null) return undefined;
    // Every save filters the stored content again.
    const stored = storedWords(row.content, isTrusted, model);
    return stored === row.content ? undefined : { sent: row.content, stored };
  }
}

/** Refuses invalid values in `meta`. Reported only if nothing else is wrong, but then nothing is stored either. */
function commentMetaRefusal(call: Call<Model>, before: CommentRow | null, mayEdit: boolean): Refusal | null {
  const value = metaValue(call);
  if (value === undefined || value === null || value === before?.resolution) return null;
  if (!mayEdit) {
    return refuse('rest_cannot_update', `Sorry, you are not allowed to edit the ${RESOLUTION} custom field.`, {
      key: RESOLUTION,
    });
  }
  if (isResolution(value)) return null;
  const [code, message] =
    typeof value === 'string'
      ? ['rest_not_in_enum', `meta.${RESOLUTION} is not one of ${resolutions.join(' and ')}.`]
      : ['rest_invalid_type', `meta.${RESOLUTION} is not of type string.`];
  return { ...refuse(code, message), about: 'input', extra: { additional_data: [{ param: `meta.${RESOLUTION}` }] } };
}

/** Maximum characters stored of a user agent. */
const longestAgent = 254;

function nameOf(sent: string): NamedText {
  const line = plainLine(sent);
  return { sent: line, stored: storedName(line) };
}

function numberIn(value: unknown): number {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** `date` takes precedence over `date_gmt`; empty values count as not sent. */
function dateIn({ params, model }: Call<Model>) {
  const zone = model.site().timezone;
  for (const field of ['date', 'date_gmt'] as const) {
    const value = params[field];
    if (typeof value === 'string' && value !== '') return resolveDate(value, field, zone);
  }
  return null;
}

function resolutionIn(call: Call<Model>): Resolution | '' | undefined {
  const value = metaValue(call);
  if (value === null) return '';
  return isResolution(value) ? value : undefined;
}

function isResolution(value: unknown): value is Resolution {
  return resolutions.some((one) => one === value);
}

function metaValue({ sent }: Call<Model>): unknown {
  const meta = sent('meta');
  return isRecord(meta) ? meta[RESOLUTION] : undefined;
}

function storedWords(words: string, isTrusted: boolean, model: Model): string {
  const filtered = isTrusted ? words : resultOf('filterTitle', words);
  return markLinks(repairReferences(filtered), siteHost(model));
}

function trusts(viewer: Viewer): boolean {
  return may(viewer, 'unfiltered_html');
}

function isTrustedAuthor({ author }: CommentRow, model: Model): boolean {
  const user = author === 0 ? undefined : model.user(author);
  return user !== undefined && trusts(viewerOf(user));
}
