import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { type AsOf, pageAsOf } from '../as-of.ts';
import type { Authenticator } from '../auth.ts';
import { entityTag, namesTag } from '../engine/etag.ts';
import { headerIn } from '../engine/input.ts';
import { refusalFor, statusOf } from '../engine/problem.ts';
import { type Answer, methodsOf, route } from '../exchange.ts';
import type { Guesses } from '../guesses.ts';
import { type Intake, readSmallForm } from '../intake.ts';
import type { SendComment, Sent } from './comment-form.ts';
import { passageFor, type Visit } from './gate.ts';
import { answerPage, faultPage, type PageRequest } from './pages.ts';
import type { PageReply } from './reply.ts';

export interface PageServerOptions {
  readonly model: () => Model;
  readonly asOf: AsOf | undefined;
  /** Administrators see the pages also while somebody works on the site. */
  readonly authenticator: Authenticator;
  readonly guesses: Guesses;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly intake: Intake;
  /** Takes comments of those without an account; null: they may not write any. */
  readonly sendComment: SendComment | null;
  /** Answers what is no page. */
  readonly notFound: Answer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
/** Where files are, not pages. */
const FILES = '/uploads/';
/** Bytes of a form, which may be a comment. */
const LONGEST = 256 * 1024;

/** Serves the pages for people: everything that no other route takes. Returns what answers a request for a page. */
export function addPages(app: FastifyInstance, options: PageServerOptions): Answer {
  const { model, asOf, authenticator, guesses, addressOf, intake, notFound, onFault, sendComment } = options;
  const shown = (reply: PageReply) => (asOf === undefined ? reply : { ...reply, body: pageAsOf(reply.body, asOf) });
  const whoIs = (request: IncomingMessage) =>
    authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  const replyWith = (headers: PageReply['headers'], request: PageRequest): PageReply => {
    const reply = answerPage(request, model());
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  const send: SendComment = async (form, visit) =>
    sendComment?.(form, visit) ?? { fields: {}, status: 403, reason: 'No comments are taken here.' };
  const answer: Answer = async (request, reply) => {
    const started = performance.now();
    const { raw } = request;
    const { url = '', method = '' } = raw;
    if (!METHODS.includes(method) || !url.startsWith('/') || url.startsWith(FILES)) return notFound(request, reply);
    const form = method === 'POST' ? await readSmallForm(raw, intake, LONGEST) : null;
    const passage = passageFor(visitOf(raw, whoIs), model());
    const attempt = (post: number | null) => guesses.post(addressOf(raw), post);
    const said =
      form?.['form'] === 'comment' && !('reply' in passage) ? await send(form, { request: raw, id: request.id }) : null;
    const password = form === null || said !== null ? null : passwordIn(form);
    const refused = said !== null && 'reason' in said ? said : null;
    const asked = { url, password, attempt, takesComments: sendComment !== null, refused };
    const made =
      said !== null && 'link' in said
        ? sentOn(said)
        : shown('reply' in passage ? passage.reply : replyWith(passage.headers, asked));
    request.answered = { route: 'page', actor: 0, position: null, ms: performance.now() - started };
    sendPage(request, reply, made);
    return reply;
  };
  app.setErrorHandler((error, request, reply) => {
    onFault(error, request.id);
    sendPage(request, reply, shown(faultPage(statusOf(refusalFor(error), anonymous), model())));
  });
  app.route(route(methodsOf(app), '/*', answer));
  return answer;
}

function visitOf(request: IncomingMessage, whoIs: (request: IncomingMessage) => Viewer): Visit {
  const { url = '', headers } = request;
  const spoken = headerIn(headers, 'x-forwarded-proto')?.split(',')[0];
  return {
    url,
    host: headers.host ?? '',
    secure: spoken?.trim().toLowerCase() === 'https',
    cookie: headers.cookie ?? '',
    viewer: whoIs(request),
  };
}

/** To the comment; of one that is held, to the form, which says so. See other: what was sent is not sent again. */
function sentOn({ link, isHeld }: Extract<Sent, { readonly link: string }>): PageReply {
  const [address = ''] = link.split('#');
  const Location = isHeld ? `${address}${address.includes('?') ? '&' : '?'}comment=held#respond` : link;
  return { status: 303, headers: { Location, 'Cache-Control': 'no-store' }, body: '' };
}

/** The password in a form; '' when there is none in what was sent. */
function passwordIn({ password }: { readonly [name: string]: unknown }): string {
  return typeof password === 'string' ? password : '';
}

/** Sends a reply, or word that it has not changed. */
function sendPage({ raw: request }: FastifyRequest, reply: FastifyReply, { status, headers, body }: PageReply): void {
  const tag = status === 200 && request.method !== 'POST' ? entityTag(Buffer.from(body, 'utf8'), undefined) : null;
  const known = request.headers['if-none-match'];
  reply.headers(headers);
  if (tag !== null) reply.header('etag', tag);
  if (tag !== null && known !== undefined && namesTag(known, tag)) reply.code(304).send();
  else reply.code(status).send(body);
}
