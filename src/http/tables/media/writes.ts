import { isUtf8 } from 'node:buffer';
import { filterTitle } from '#blocks/filter.ts';
import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { StoredFile } from '#domain/media/commands.ts';
import { stemOf } from '#domain/media/naming.ts';
import { may } from '#domain/user/roles.ts';
import { PIECE_TYPE } from '#media/partials.ts';
import type { Arrived } from '#media/receive.ts';
import type { Uploads, UploadWork } from '#media/uploads.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaUrl } from '#site/addresses/items.ts';
import { canEditMedia } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Answer, Call, Context, Sent, Upload } from '../../engine/types.ts';
import type { IncomingFile } from '../../message/multipart.ts';
import { deletedRecord } from '../records/field.ts';
import { lateRenderingOf, renderingOf } from '../rendering.ts';
import { withTextsInside } from './body.ts';
import { mediaFields, mediaRecord } from './fields.ts';
import { findMedia } from './permissions.ts';

export function updateMedia(call: Call<Session>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  return (
    parentRefusal(call) ??
    statusRefusal(call) ??
    media.changeMedia(call.model, row.id, mediaFields.input(call)) ??
    shownMedia(call, row.id)
  );
}

export function removeMedia(call: Call<Session>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  if (call.params['force'] !== true) {
    return refuse('rest_trash_not_supported', "The post does not support trashing. Set 'force=true' to delete.");
  }
  const { viewer, model, wants } = call;
  const record = deletedRecord(
    mediaRecord(row, { context: 'edit', viewer, model, rendering: renderingOf(call) }),
    wants,
  );
  media.deleteMedia(call.model, row.id);
  return { body: { kind: 'record', record }, noAllow: true };
}

export function shownMedia(call: Call<Session>, id: number, context: Context = 'edit'): Answer {
  const { model, viewer } = call;
  const row = model.media(id) as MediaRow;
  const record = mediaRecord(row, { context, viewer, model, rendering: lateRenderingOf(call) });
  return { body: { kind: 'record', record }, version: String(row.touched) };
}

function statusRefusal({ sent, viewer }: Call<Model>): Refusal | null {
  const needs = ['private', 'publish', 'future'].includes(String(sent('status')));
  return !needs || may(viewer, post.rights.publish)
    ? null
    : refuse('rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.');
}

/** Media cannot be attached to media. */
function parentRefusal({ params, model }: Call<Model>): Refusal | null {
  const host = idFrom(params['post']);
  return host !== 0 && model.media(host) !== undefined ? refuse('rest_invalid_param', 'Invalid parent type.') : null;
}

/** Begins to receive a file, as the body or as part of a form (interface behaviour, section 22). */
export function beginUpload(uploads: Uploads, sent: Sent): Upload<Model, Session> {
  return new MediaUpload(uploads.open(), sent);
}

interface Incoming {
  readonly by: 'body' | 'form';
  readonly name: string;
  readonly arrived: Arrived | Refusal;
}

const messages = {
  noData: refuse('rest_upload_no_data', 'No data supplied.'),
  noType: refuse('rest_upload_no_content_type', 'No Content-Type supplied.'),
  noDisposition: refuse('rest_upload_no_content_disposition', 'No Content-Disposition supplied.'),
  noName: refuse(
    'rest_upload_invalid_disposition',
    'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
  ),
  tooLarge: refuse('rest_request_too_large', 'The file is too large.'),
  mismatch: refuse('rest_upload_hash_mismatch', 'Content hash did not match expected.'),
};

class MediaUpload implements Upload<Model, Session> {
  readonly #work: UploadWork;
  readonly #header: Sent['header'];
  #file: Incoming | null = null;
  #stored: StoredFile | null = null;

  constructor(work: UploadWork, { header }: Sent) {
    this.#work = work;
    this.#header = header;
  }

  async take(file: IncomingFile | null, bytes: AsyncIterable<Buffer>): Promise<boolean> {
    if (file === null) return this.#takeBody(bytes);
    // Other files of a form are ignored, but change the error if the expected one is missing.
    const own = file.field === 'file';
    if (!own) this.#file ??= { by: 'form', name: '', arrived: failed('form', 'No file was uploaded.') };
    return own ? this.#receive({ by: 'form', name: file.name }, bytes) : true;
  }

  async #takeBody(bytes: AsyncIterable<Buffer>): Promise<boolean> {
    const fault = this.#headerFault();
    if (fault === null) return this.#receive({ by: 'body', name: this.#dispositionName() }, bytes);
    for await (const chunk of bytes) {
      if (chunk.length === 0) continue;
      this.#file = { by: 'body', name: '', arrived: fault };
      return false;
    }
    return true;
  }

  async #receive(file: Pick<Incoming, 'by' | 'name'>, bytes: AsyncIterable<Buffer>): Promise<boolean> {
    // Remains if the bytes end early.
    this.#file = { ...file, arrived: failed(file.by, 'The uploaded file was only partially uploaded.') };
    const arrived = await this.#work.receive(bytes, { md5: this.#header('content-md5') !== undefined });
    this.#file = { ...file, arrived: arrived ?? messages.tooLarge };
    return arrived !== null;
  }

  async prepare(call: Call<Model>): Promise<Refusal | null> {
    const file = this.#file;
    const refusal = parentRefusal(call) ?? (file === null ? messages.noData : this.#faultOf(file));
    if (refusal !== null || file === null || isRefusal(file.arrived)) return refusal;
    const stored = await this.#work.store(file.arrived, {
      name: file.name,
      title: file.by === 'form' ? titleFor(file.name, call) : null,
      resizes: call.params['generate_sub_sizes'] !== false,
    });
    if (stored === 'type') return failed(file.by, 'Sorry, you are not allowed to upload this file type.');
    if (stored === 'pixels') return failed(file.by, 'The image has more pixels than this site takes.');
    this.#stored = withTextsInside(stored, call.viewer);
    return null;
  }

  readonly command = (call: Call<Session>): Answer | Refusal => {
    if (this.#stored === null) throw new Error('an upload that is not stored must have been refused before');
    const wanted = { file: this.#stored, fields: mediaFields.input(call) };
    const repeated = this.#mayRepeat() ? media.repeatedUpload(call.model, wanted) : null;
    if (repeated !== null && canEditMedia(call.viewer, call.model.media(repeated) as MediaRow)) {
      const headers = { [`${call.model.site().names.headers}-Repeated`]: 'true' };
      return { ...createdMedia(call, repeated, headers), idle: true };
    }
    const id = media.uploadMedia(call.model, wanted.file, wanted.fields);
    return isRefusal(id) ? id : createdMedia(call, id);
  };

  digest(): string {
    return `${this.#file?.name} ${this.#stored?.hash} `;
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }

  /** A bare file that is sent twice is stored twice, as clients of the family expect, and one with a key is repeated by that. */
  #mayRepeat(): boolean {
    const isWhole = this.#file?.by === 'form' || this.#header('content-type') === PIECE_TYPE;
    return isWhole && this.#header('idempotency-key') === undefined;
  }

  #headerFault(): Refusal | null {
    if (!this.#header('content-type')) return messages.noType;
    if (!this.#header('content-disposition')) return messages.noDisposition;
    return this.#dispositionName() === '' ? messages.noName : null;
  }

  #dispositionName(): string {
    return dispositionName(this.#header('content-disposition') ?? '');
  }

  #faultOf({ by, name, arrived }: Incoming): Refusal | null {
    if (isRefusal(arrived)) return arrived;
    // An empty body counts as none.
    if (by === 'body' && arrived.bytes === 0) return messages.noData;
    const expected = this.#header('content-md5')?.trim();
    if (expected !== undefined && expected !== arrived.md5) return messages.mismatch;
    if (by === 'form' && name === '') return failed(by, 'No file was uploaded.');
    return arrived.bytes === 0 ? failed(by, 'File is empty. Please upload something more substantial.') : null;
  }
}

function createdMedia(call: Call<Session>, id: number, headers: Answer['headers'] = {}): Answer {
  const { model } = call;
  return { ...shownMedia(call, id), status: 201, headers: { ...headers, Location: `${mediaUrl(model)}/${id}` } };
}

function failed(by: Incoming['by'], message: string): Refusal {
  return refuse(by === 'body' ? 'rest_upload_sideload_error' : 'rest_upload_unknown_error', message);
}

function titleFor(name: string, { viewer }: Call<Model>): string | null {
  const title = stemOf(name);
  return (may(viewer, 'unfiltered_html') ? title : filterTitle(title)) || null;
}

/**
 * The file name in a `Content-Disposition` header, of whatever type; `''` if it has none. The plain `filename` counts (interface behaviour,
 * section 22), and `filename*` where there is no other (RFC 6266).
 */
function dispositionName(header: string): string {
  // Node decodes headers as Latin-1, whatever their bytes represent.
  const bytes = Buffer.from(header, 'latin1');
  const [, ...parts] = (isUtf8(bytes) ? bytes.toString('utf8') : header).split(';');
  const named = (wanted: string) =>
    parts.flatMap((part) => {
      const [key = '', value] = part.split(/=(.*)/s);
      return key.trim().toLowerCase() === wanted && value !== undefined ? [value.trim()] : [];
    });
  const name = named('filename').at(-1) ?? '';
  if (name === '') return extendedName(named('filename*').at(-1) ?? '');
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}

/** `UTF-8''n%C3%A4me.jpg` (RFC 8187); `''` if it is not of this form. */
function extendedName(value: string): string {
  const [, charset = '', encoded = ''] = /^(utf-8|iso-8859-1)'[\w-]*'([^'"\s]*)$/i.exec(value) ?? [];
  const bytes = Buffer.from(
    encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  if (charset.toLowerCase() === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : '';
  return bytes.toString('latin1');
}
