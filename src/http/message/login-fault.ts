import { asciiJson } from '#text/json.ts';
import { isRecord } from '#text/shapes.ts';
import { type Reply, valueIn } from './reply.ts';

const SENTENCE = 'The login or the application password that was sent is wrong.';

/** A refusal that also says that the credentials of the request were wrong: it was decided as for nobody. Others stay as they are. */
export function withLoginFault(reply: Reply): Reply {
  const { status, head, body } = reply;
  if (status !== 401 || valueIn(head, 'Content-Encoding') !== undefined) return reply;
  const problem = parsed(body.toString('latin1'));
  if (!isRecord(problem) || typeof problem['message'] !== 'string') return reply;
  const { message } = problem;
  const said = Buffer.from(asciiJson({ ...problem, message: `${message} ${SENTENCE}` }), 'latin1');
  const length = head.indexOf('Content-Length') + 1;
  return { ...reply, head: head.map((value, i) => (i === length ? String(said.length) : value)), body: said };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
