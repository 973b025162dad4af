import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { type RunText, readWithTexts, Unwanted } from '#text/suspended.ts';
import { namesTag } from '../engine/etag.ts';
import { headerNames } from '../engine/headers.ts';
import { headerIn } from '../engine/input.ts';
import { refusalFor, statusOf } from '../engine/problem.ts';
import { type Reply, valueIn } from '../engine/reply.ts';
import type { Authenticator } from '../server/auth.ts';
import { type Answer, methodsOf, route } from '../server/exchange.ts';
import { type Guesses, postAttempts } from '../server/guesses.ts';
import { type Intake, readSmallForm } from '../server/intake.ts';
import type { PageReply } from '../server/page-reply.ts';
import { type AsOf, pageAsOf } from './as-of.ts';
import type { SendComment, Sent } from './comment-form.ts';
import { commentAddress } from './comment-pages.ts';
import { nothing, passageFor, type Visit } from './gate.ts';
import { type KeptPages, pageBytes } from './kept.ts';
import { answerPage, faultPage, missingPage, type PageRequest } from './pages.ts';
import { type PreviewRequest, previewerFor, previewIn, previewPage } from './preview.ts';
import { PREVIEW, type PreviewLogin } from './preview-login.ts';
import { type ThemeFonts, withTheme } from './themes/fonts.ts';

export interface PageServerOptions {
  readonly model: () => Model;
  readonly asOf: AsOf | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly authenticator: Authenticator;
  readonly guesses: Guesses;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly intake: Intake;
  /** Receives comments by visitors without an account; null: they may not comment. */
  readonly sendComment: SendComment | null;
  /** Logs in those who may see what is not public; absent: nobody can log in. */
  readonly previews?: PreviewLogin | undefined;
  readonly kept: KeptPages;
  /** Works on long texts in other threads. */
  readonly runText: RunText | undefined;
  readonly fonts: ThemeFonts | undefined;
  readonly notFound: Answer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

const noAttempt = () => ({ wait: 0, failed: () => undefined });
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
/** Path of uploaded files, which are not pages. */
const FILES = '/uploads/';
/** Maximum bytes of a form, which may contain a comment. */
const LONGEST = 256 * 1024;

export interface PageServer {
  readonly answer: Answer;
  /** Makes a page ahead of requests; false if it is already cached. */
  readonly ahead: (url: string) => boolean;
}

/** Serves the pages for people: everything that no other route handles. */
export function addPages(app: FastifyInstance, options: PageServerOptions): PageServer {
  const { model, asOf, clock, authenticator, guesses, addressOf, intake, notFound, onFault, sendComment } = options;
  const { kept, runText, fonts, previews } = options;
  const shown = (reply: PageReply) => (asOf === undefined ? reply : { ...reply, body: pageAsOf(reply.body, asOf) });
  const themed = (reply: PageReply) =>
    shown(fonts === undefined ? reply : { ...reply, body: withTheme(reply.body, fonts, model()) });
  const whoIs = (request: IncomingMessage) =>
    authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  const replyWith = (headers: PageReply['headers'], request: PageRequest): PageReply => {
    const reply = answerPage(request, model());
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  const takesComments = sendComment !== null;
  const plainly = (url: string) =>
    shown(answerPage({ url, now: clock(), password: null, attempt: noAttempt, takesComments, fonts }, model()));
  const send: SendComment = async (form, visit) =>
    sendComment?.(form, visit) ?? { fields: {}, status: 403, reason: 'Comments are closed.' };
  const preview = async (
    wanted: PreviewRequest,
    raw: IncomingMessage,
    form: Readonly<Record<string, unknown>> | null,
  ): Promise<PageReply> => {
    if (form?.['form'] === PREVIEW && previews !== undefined) return previews.submit(raw, form);
    const at = { model: model(), now: clock() };
    const visitors = [whoIs(raw), previews?.viewerOf(raw) ?? anonymous];
    const viewer = visitors.flatMap((one) => previewerFor(wanted, one, at) ?? [])[0];
    if (viewer === undefined) {
      const isKnown = visitors.some(({ id }) => id !== anonymous.id);
      return previews === undefined || isKnown ? missingPage(model()) : previews.ask(raw);
    }
    const make = () => previewPage(wanted, viewer, { model: model(), url: raw.url ?? '' });
    return readWithTexts(runText, make, { isGone: () => raw.socket.destroyed });
  };
  const answer: Answer = async (request, reply) => {
    const started = performance.now();
    const { raw } = request;
    const { url = '', method = '' } = raw;
    const isGone = () => raw.socket.destroyed;
    if (!METHODS.includes(method) || !url.startsWith('/') || url.startsWith(FILES)) return notFound(request, reply);
    const form = method === 'POST' ? await readSmallForm(raw, intake, LONGEST) : null;
    const passage = passageFor(visitOf(raw, whoIs), model());
    const note = ({ head }: Reply) => {
      const isTruncated = valueIn(head, headerNames(model().site().names.headers).truncated) !== undefined;
      request.answered = { route: 'page', actor: 0, position: null, ms: performance.now() - started, isTruncated };
    };
    const wanted = previewIn(url, model());
    if (wanted !== null && !('reply' in passage)) {
      const made = themed(await preview(wanted, raw, form));
      const bytes = await pageBytes(made);
      note(bytes);
      sendPage(request, reply, bytes);
      return reply;
    }
    if (form === null && passage === nothing) {
      const made =
        kept.find(url, headerIn(raw.headers, 'accept-encoding')) ?? (await kept.make(url, () => plainly(url), isGone));
      note(made);
      sendPage(request, reply, made);
      return reply;
    }
    const attempt = postAttempts(guesses, () => addressOf(raw));
    const said =
      form?.['form'] === 'comment' && !('reply' in passage) ? await send(form, { request: raw, id: request.id }) : null;
    const password = form === null || said !== null ? null : passwordIn(form);
    const refused = said !== null && 'reason' in said ? said : null;
    const asked = { url, now: clock(), password, attempt, takesComments, refused, fonts };
    const made =
      said !== null && 'link' in said
        ? sentOn(said, model())
        : await readWithTexts(
            runText,
            () => ('reply' in passage ? themed(passage.reply) : shown(replyWith(passage.headers, asked))),
            { isGone },
          );
    const bytes = await pageBytes(made, made.status === 200 && method !== 'POST');
    note(bytes);
    sendPage(request, reply, bytes);
    return reply;
  };
  app.setErrorHandler(async (error, request, reply) => {
    if (!(error instanceof Unwanted)) onFault(error, request.id);
    const page = themed(faultPage(statusOf(refusalFor(error), anonymous), model()));
    sendPage(request, reply, await pageBytes(page));
    return reply;
  });
  app.route(route(methodsOf(app), '/*', answer));
  return { answer, ahead: (url) => kept.ahead(url, () => plainly(url)) };
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

/** Redirects to the comment, or to a notice at the form if it is held. With 303, so that a reload does not send it again. */
function sentOn({ id, link, isHeld }: Extract<Sent, { readonly link: string }>, model: Model): PageReply {
  const [address = ''] = link.split('#');
  const row = model.comments.get(id);
  const there = row === undefined ? link : commentAddress(row, model);
  const Location = isHeld ? `${address}${address.includes('?') ? '&' : '?'}comment=held#respond` : there;
  return { status: 303, headers: { Location, 'Cache-Control': 'no-store' }, body: [] };
}

/** The password in a form; '' if there is none. */
function passwordIn({ password }: { readonly [name: string]: unknown }): string {
  return typeof password === 'string' ? password : '';
}

function sendPage({ raw: request }: FastifyRequest, reply: FastifyReply, { status, head, body, tag }: Reply): void {
  const known = request.headers['if-none-match'];
  const isKnown = tag !== null && known !== undefined && namesTag(known, tag);
  for (let i = 0; i < head.length; i += 2) {
    const [name = '', value] = head.slice(i, i + 2);
    if (!isKnown || name !== 'Content-Length') reply.header(name, value);
  }
  if (isKnown) reply.code(304).send();
  else reply.code(status).send(body.length === 0 ? undefined : body);
}
