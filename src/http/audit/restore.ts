import type { IncomingMessage } from 'node:http';
import { kindOf } from '#domain/entry/kinds.ts';
import { type InterfaceNames, namespaceName } from '#domain/site/interface-names.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { isErased } from '#projections/audit/fields.ts';
import { textsAfter } from '#projections/audit/texts.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { isRecord } from '#text/shapes.ts';
import type { Engine } from '../engine/engine.ts';
import { type Intake, readSmallForm, textField } from '../server/intake.ts';
import type { Origins } from '../server/origin.ts';
import { type PageReply, seeOther } from '../server/page-reply.ts';
import { cookiesIn, type Sessions } from '../server/sessions.ts';
import { noticeReply } from './answer.ts';
import type { AuditStore } from './store.ts';

export interface RestoreOptions {
  readonly store: AuditStore;
  readonly engine: Pick<Engine, 'answer'>;
  readonly names: InterfaceNames;
  readonly sessions: Sessions;
  readonly intake: Intake;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly write: Pick<Origins, 'note'> | undefined;
}

interface Asked {
  /** Of the request. */
  readonly id: string;
  readonly viewer: Viewer;
  readonly account: string | undefined;
  readonly stream: string;
}

/** Restores a version by a write to the interface, with the rights of whoever is logged in. */
export function createRestore(options: RestoreOptions) {
  const { store, intake } = options;
  return async (request: IncomingMessage, asked: Asked): Promise<PageReply> => {
    const shown = { url: request.url ?? '', store, account: asked.account };
    const sent = await readSmallForm(request, intake);
    if (!isOwnForm(request, textField(sent, 'token'), options)) {
      return noticeReply('The form was too old or came from elsewhere. Please go back and try again', 403, shown);
    }
    const revision = textField(sent, 'revision');
    const number = /^[1-9]\d{0,14}$/.test(revision) ? Number(revision) : 0;
    const [version] = store.log.read({ stream: asked.stream, from: number, to: number });
    const write = version === undefined || number === 0 ? null : writeFor(version, store);
    if (write === null) return noticeReply('There is no such version to restore', 404, shown);
    const { status, message } = await sendFormWrite(write, { request, asked, options });
    if (status < 400) return seeOther(`../${encodeURIComponent(asked.stream)}`);
    return noticeReply(`The version was not restored: ${message}`, status, shown);
  };
}

/** A write to the interface that a form stands for. */
export interface FormWrite {
  /** Below the namespace. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The write that gives an item the texts that it had after an event; null if there is none. */
function writeFor(event: StoredEvent, { log, reader }: AuditStore): FormWrite | null {
  const [, area, number] = /^(entry|media)-(\d{1,15})$/.exec(event.stream) ?? [];
  const texts = isErased(event) ? null : textsAfter(event, log);
  if (area === undefined || texts === null || event.type === 'EntryAutosaved') return null;
  if (area === 'media') {
    const { altText: alt_text = '', ...others } = texts;
    return { path: `media/${number}`, body: { ...others, alt_text } };
  }
  const row = reader.entry(Number(number));
  const { footnotes = '', ...others } = texts;
  return row === undefined
    ? null
    : { path: `${kindOf(row.kind).base}/${number}`, body: { ...others, meta: { footnotes } } };
}

interface Sending {
  readonly request: IncomingMessage;
  readonly asked: Pick<Asked, 'id' | 'viewer'>;
  readonly options: Pick<RestoreOptions, 'engine' | 'names' | 'addressOf' | 'write'>;
}

/** Sends a write with the rights of whoever is logged in. Returns the status and the answer. */
export async function sendFormWrite({ path: below, body }: FormWrite, { request, asked, options }: Sending) {
  const { engine, names, addressOf, write } = options;
  const { viewer, id: correlationId } = asked;
  const path = `/${namespaceName(names, CONTENT)}/${below}`;
  const peer = addressOf(request);
  const { reply, position } = await engine.answer({
    method: 'POST',
    url: path,
    path,
    query: '',
    viewer,
    correlationId,
    peer,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  });
  const answer: unknown = JSON.parse(reply.body.toString('utf8'));
  reply.release?.();
  if (position !== null) write?.note?.({ position, correlationId, address: peer, via: 'the audit pages' });
  return { status: reply.status, answer, message: isRecord(answer) ? String(answer['message']) : '' };
}

/** Whether a form came from a page of this server, which was made for this browser. */
export function isOwnForm(
  request: IncomingMessage,
  token: string,
  { sessions, isForeign }: Pick<RestoreOptions, 'sessions' | 'isForeign'>,
): boolean {
  return !isForeign(request.headers) && token === cookiesIn(request)['audit-form'] && sessions.isFormToken(token);
}
