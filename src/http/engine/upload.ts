import type { Refusal } from '#domain/kernel/refusal.ts';
import { parseQuery } from '#text/query-string.ts';
import { chunksOf, discard, parseJsonBody, readRest, type UnreadBody } from '../message/json-body.ts';
import { GONE } from '../message/limits.ts';
import { readForm, type TakeFile } from '../message/multipart.ts';
import { type CheckedCall, checkedCall } from './call.ts';
import { heldIn, NOT_HELD } from './held-in.ts';
import type { Asker, Runtime } from './host.ts';
import { type Input, type InputParts, isJson, jsonParts, mediaOf, withParts } from './input.ts';
import { allowHeader, refusedOutcome } from './outcome.ts';
import type { FoundEndpoint } from './table.ts';
import type { Upload, UploadEndpoint } from './types.ts';
import { decide, decideOnce, preparedTexts, type WriteOutcome } from './write.ts';

export interface UploadRequest<M, S extends M> {
  readonly found: FoundEndpoint<M, S>;
  readonly endpoint: UploadEndpoint<M, S>;
  readonly asker: Asker;
  /** Null if there is no body. */
  readonly unread: UnreadBody | null;
}

/**
 * Carries out an upload: receives the body, checks everything, then submits. A body that is a bare file is checked before it is
 * read; a form is read first, for its fields.
 */
export async function carryUpload<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  request: UploadRequest<M, S>,
): Promise<WriteOutcome> {
  const upload = request.endpoint.upload(input.sent);
  let sure = false;
  try {
    const uploaded = await carryOut(runtime, input, { ...request, upload });
    sure = true;
    return uploaded;
  } finally {
    await upload.close(sure);
  }
}

async function carryOut<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  begun: Begun<M, S>,
): Promise<WriteOutcome> {
  const taken = await takeIn(runtime, input, begun);
  if ('outcome' in taken) return taken;
  const { checked, refusal } = check(runtime, taken.input, begun);
  const reason = taken.refusal ?? refusal ?? (await begun.upload.prepare(checked.call));
  return reason === null ? commit(runtime, taken.input, begun) : refusedUpload(checked, reason);
}

interface Begun<M, S extends M> extends UploadRequest<M, S> {
  readonly upload: Upload<M, S>;
}

type Taken = { readonly input: Input; readonly refusal: Refusal | null } | WriteOutcome;

async function takeIn<M, S extends M>(runtime: Runtime<M, S>, input: Input, begun: Begun<M, S>): Promise<Taken> {
  const { unread } = begun;
  if (unread === null) return { input, refusal: null };
  try {
    const type = input.sent.header('content-type') ?? '';
    const media = mediaOf(type);
    if (media === 'multipart/form-data') return await takeForm(input, type, { ...begun, unread });
    if (isJson(media) || media === 'application/x-www-form-urlencoded')
      return await takeText(input, media, { ...begun, unread });
    const { checked, refusal } = check(runtime, input, begun);
    if (refusal !== null) return refusedUpload(checked, refusal);
    await begun.upload.take(null, chunksOf(unread));
    return { input, refusal: null };
  } catch (error) {
    if (!unread.bytes.readableAborted) throw error;
    return { input, refusal: GONE };
  }
}

interface Arriving<M, S extends M> extends Begun<M, S> {
  readonly unread: UnreadBody;
}

async function takeForm<M, S extends M>(input: Input, type: string, arriving: Arriving<M, S>): Promise<Taken> {
  const { upload, unread, endpoint, asker } = arriving;
  // Viewers who may not upload are refused when all fields are known; until then files are discarded.
  const pass: TakeFile = (_, bytes) => discard(bytes, unread.limit);
  const take: TakeFile = endpoint.takesFrom(asker.viewer) ? (file, bytes) => upload.take(file, bytes) : pass;
  const form = await readForm(chunksOf(unread), { type, limit: unread.limit, hold: unread.hold, take });
  return 'refusal' in form
    ? { input, refusal: form.refusal }
    : { input: withParts(input, { form: form.params }), refusal: null };
}

async function takeText<M, S extends M>(
  input: Input,
  media: string,
  { upload, unread }: Arriving<M, S>,
): Promise<Taken> {
  const body = await readRest(unread);
  if (!Buffer.isBuffer(body)) return { input, refusal: body };
  await upload.take(null, only(body));
  const parts: InputParts = isJson(media)
    ? jsonParts(await parseJsonBody(body))
    : { form: parseQuery(body.toString('utf8')) };
  return { input: withParts(input, parts), refusal: null };
}

function check<M, S extends M>(
  { host }: Runtime<M, S>,
  input: Input,
  { found, asker }: UploadRequest<M, S>,
): { readonly checked: CheckedCall<M, S>; readonly refusal: Refusal | null } {
  const { textLimit } = host;
  const checked = checkedCall(found, input, { viewer: asker.viewer, model: host.model(), textLimit });
  const held = heldIn(host, input, { viewer: asker.viewer, found }) === null ? null : NOT_HELD;
  return { checked, refusal: held ?? checked.refusal ?? found.endpoint.endpoint.permission(checked.call) };
}

async function commit<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { found, endpoint, upload, asker }: Begun<M, S>,
): Promise<WriteOutcome> {
  const { takesFrom: _, upload: __, prepare: ahead, ...base } = endpoint;
  const bound = { ...found, endpoint: { ...found.endpoint, endpoint: { ...base, command: upload.command } } };
  const full = { ...input, sent: { ...input.sent, digest: upload.digest(), once: new Map() } };
  const { viewer } = asker;
  const texts = preparedTexts(runtime);
  const { host } = runtime;
  await ahead?.(checkedCall(found, full, { viewer, model: host.model() }).call, texts);
  const { value: outcome, position } = await decide(runtime, { asker, texts, input }, (deciding) =>
    decideOnce(deciding, checkedCall(bound, full, { viewer, model: deciding.session, late: deciding.late }), full),
  );
  return { outcome, position: outcome.replayed ?? position };
}

function refusedUpload<M, S extends M>({ found, call }: CheckedCall<M, S>, refusal: Refusal): WriteOutcome {
  const allow = allowHeader<M, S>(found.route, call);
  return { outcome: refusedOutcome(refusal, call.viewer, allow), position: null };
}

async function* only(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}

/** `take` of an upload that expects no file: reads the body to its end and discards it. */
export async function takeNoFile(_: unknown, bytes: AsyncIterable<Buffer>): Promise<boolean> {
  for await (const _chunk of bytes);
  return true;
}
