import type { IncomingMessage } from 'node:http';
import { type InterfaceNames, namespaceName } from '#domain/site/interface-names.ts';
import { anonymous } from '#domain/user/roles.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { isRecord } from '#text/shapes.ts';
import type { Engine } from '../engine/engine.ts';
import { headerIn } from '../engine/input.ts';
import { textField } from '../server/intake.ts';
import type { LoginThrottle } from '../server/login-throttle.ts';
import type { Origins } from '../server/origin.ts';
import type { RefusedComment } from './discussion.ts';

export type SentComment = { readonly id: number; readonly link: string; readonly isHeld: boolean } | RefusedComment;

/** Submits a comment by a visitor without an account. */
export type SendComment = (
  form: Readonly<Record<string, unknown>>,
  visit: { readonly request: IncomingMessage; readonly id: string },
) => Promise<SentComment>;

export interface CommentFormOptions {
  readonly engine: Pick<Engine, 'answer'>;
  readonly names: InterfaceNames;
  readonly loginThrottle: LoginThrottle;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly origins: Origins | undefined;
}

const FIELDS = ['post', 'parent', 'author_name', 'author_email', 'author_url', 'content'];

/** Submits the form through the interface, so that the same rules apply. */
export function createCommentForm(options: CommentFormOptions): SendComment {
  const { engine, names, loginThrottle, isForeign, addressOf, origins } = options;
  const path = `/${namespaceName(names, CONTENT)}/comments`;
  return async (form, { request, id: correlationId }) => {
    const fields = fieldsOf(form);
    if (isForeign(request.headers)) {
      return { fields, status: 403, reason: 'This form was sent from another site. Please send it again from here.' };
    }
    const peer = addressOf(request);
    const agent = headerIn(request.headers, 'user-agent');
    const { reply, position } = await engine.answer({
      method: 'POST',
      url: path,
      path,
      query: '',
      viewer: anonymous,
      correlationId,
      peer,
      headers: { 'content-type': 'application/json', ...(agent === undefined ? {} : { 'user-agent': agent }) },
      body: Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')))),
      attempt: (post) => loginThrottle.post(peer, post),
    });
    const answer: unknown = JSON.parse(reply.body.toString('utf8'));
    reply.release?.();
    if (position !== null) origins?.note?.({ position, correlationId, address: peer });
    if (!isRecord(answer) || reply.status !== 201) return { fields, status: reply.status, reason: reasonIn(answer) };
    return { id: Number(answer['id']), link: String(answer['link']), isHeld: answer['status'] !== 'approved' };
  };
}

function fieldsOf(form: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(FIELDS.map((name) => [name, textField(form, name)]));
}

function reasonIn(answer: unknown): string {
  if (!isRecord(answer)) return 'Your comment could not be posted. Please try again.';
  const { message, data } = answer;
  const params = isRecord(data) && isRecord(data['params']) ? Object.values(data['params']) : [];
  return String(params[0] ?? message);
}
