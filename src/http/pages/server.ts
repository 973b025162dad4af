import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, isAuditor, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { Cost, withCost } from '#text/cost.ts';
import { headerIn } from '../engine/input.ts';
import { encodedFor } from '../message/encoding.ts';
import { namedTag } from '../message/etag.ts';
import { headerNames } from '../message/headers.ts';
import { refusalFor, statusOf } from '../message/problem.ts';
import { type Reply, valueIn } from '../message/reply.ts';
import type { Authenticator } from '../server/auth.ts';
import { type HandOver, leave, methodsOf, type RouteAnswer, readable, route } from '../server/exchange.ts';
import { type Intake, readSmallForm } from '../server/intake.ts';
import { type LoginThrottle, postAttempts } from '../server/login-throttle.ts';
import type { PageReply } from '../server/page-reply.ts';
import { type AsOf, pageAsOf } from './as-of.ts';
import type { SendComment, SentComment } from './comment-form.ts';
import { commentAddress } from './discussion.ts';
import { nothingHere, type Passage, passageFor, type Visit } from './gate.ts';
import { type KeptPages, pageBytes } from './kept.ts';
import { answerPage, faultPage, isLongPage, missingPage, type PageRequest } from './pages.ts';
import { PREVIEW, type PreviewLogin, type PreviewRequest, previewerFor, previewIn, previewPage } from './preview.ts';
import { type ThemeFonts, withTheme } from './themes/fonts.ts';

export interface PageServerOptions {
  readonly model: () => Model;
  readonly asOf: AsOf | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly authenticator: Authenticator;
  readonly loginThrottle: LoginThrottle;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly intake: Intake;
  /** Receives comments by visitors without an account; null: they may not comment. */
  readonly sendComment: SendComment | null;
  /** Logs in those who may see what is not public; absent: nobody can log in. */
  readonly previews?: PreviewLogin | undefined;
  readonly kept: KeptPages;
  /** Whether pages are compressed for clients that accept that. */
  readonly compresses: boolean;
  readonly fonts: ThemeFonts | undefined;
  readonly notFound: RouteAnswer;
  readonly onFault: (error: unknown, correlationId: string) => void;
  /** See `AppOptions`. */
  readonly handOver: HandOver | undefined;
}

const noAttempt = () => ({ wait: 0, failed: () => undefined });
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
/** Path of uploaded files, which are not pages. */
const FILES = '/uploads/';
/** Maximum bytes of a form, which may contain a comment. */
const LONGEST = 256 * 1024;

export interface PageServer {
  readonly answer: RouteAnswer;
  /** Makes a page ahead of requests; false if it is already cached. */
  readonly ahead: (url: string) => boolean;
}

/** Serves the pages for people: everything that no other route handles. */
export function addPages(app: FastifyInstance, options: PageServerOptions): PageServer {
  const { onFault, handOver } = options;
  const pages = new Pages(options);
  const answer: RouteAnswer = (request, reply) => pages.answer(request, reply);
  app.setErrorHandler(async (error, request, reply) => {
    if (handOver !== undefined) return leave(request, reply, handOver);
    onFault(error, request.id);
    sendPage(reply, pageBytes(pages.fault(error)));
    return reply;
  });
  app.route(readable(route(methodsOf(app), '/*', answer)));
  return { answer, ahead: (url) => pages.ahead(url) };
}

type Form = Readonly<Record<string, unknown>>;

class Pages {
  readonly #options: PageServerOptions;
  readonly #takesComments: boolean;
  readonly #whoIs = (request: IncomingMessage): Viewer => {
    const { authenticator, addressOf } = this.#options;
    return authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  };

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#takesComments = options.sendComment !== null;
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const started = performance.now();
    const { model, notFound, intake, handOver } = this.#options;
    const { raw } = request;
    const { url = '', method = '' } = raw;
    if (!METHODS.includes(method) || !url.startsWith('/') || url.startsWith(FILES)) return notFound(request, reply);
    const form = method === 'POST' ? await readSmallForm(raw, intake, LONGEST) : null;
    const passage = passageFor(visitOf(raw, this.#whoIs), model());
    const isPlain = passage === nothingHere && previewIn(url, model()) === null;
    if (handOver !== undefined && !isPlain) return leave(request, reply, handOver);
    const answered = this.#replyTo(request, form, passage);
    const whole = answered instanceof Promise ? await answered : answered;
    const sent = unlessKnown(raw, whole);
    // Where a form shows what was sent beside what is secret, the compressed length would reveal it.
    const encodes = this.#options.compresses && isPlain && form === null;
    const made = encodes ? await encodedFor(headerIn(raw.headers, 'accept-encoding'), sent) : sent;
    const isTruncated = valueIn(made.head, headerNames(model().site().names.headers).truncated) !== undefined;
    const who = isPlain ? anonymous : this.#visitor(raw);
    const isNoted = isAuditor(who);
    const about = { actor: isNoted ? who.id : 0, isAuditor: isNoted, isTruncated };
    request.answered = { route: 'page', position: null, ms: performance.now() - started, ...about };
    sendPage(reply, made);
    return reply;
  }

  /** Who has logged in, by password or in the form for previews. */
  #visitor(request: IncomingMessage): Viewer {
    const who = this.#whoIs(request);
    return who.id === anonymous.id ? (this.#options.previews?.viewerOf(request) ?? anonymous) : who;
  }

  ahead(url: string): boolean {
    return this.#options.kept.ahead(url, () => this.#plainly(url));
  }

  fault(error: unknown): PageReply {
    return this.#themed(faultPage(statusOf(refusalFor(error), anonymous), this.#options.model()));
  }

  #replyTo(request: FastifyRequest, form: Form | null, passage: Passage): Reply | Promise<Reply> {
    const { model, kept } = this.#options;
    const { raw } = request;
    const { url = '' } = raw;
    const wanted = previewIn(url, model());
    if (wanted !== null && !('reply' in passage)) return this.#previewed(wanted, raw, form);
    if (form !== null || passage !== nothingHere) return this.#asked(request, form, passage);
    const found = kept.find(url, headerIn(raw.headers, 'accept-encoding'));
    return (
      found ??
      kept.make(url, {
        make: () => this.#plainly(url),
        isLong: () => isLongPage(url, model()),
        isGone: () => raw.socket.destroyed,
      })
    );
  }

  #plainly(url: string): PageReply {
    return plainPageAt(url, { ...this.#options, takesComments: this.#takesComments });
  }

  async #previewed(wanted: PreviewRequest, raw: IncomingMessage, form: Form | null): Promise<Reply> {
    return pageBytes(this.#themed(await this.#preview(wanted, raw, form)));
  }

  async #preview(wanted: PreviewRequest, raw: IncomingMessage, form: Form | null): Promise<PageReply> {
    const { model, clock, previews } = this.#options;
    if (form?.['form'] === PREVIEW && previews !== undefined) return previews.submit(raw, form);
    const at = { model: model(), now: clock() };
    const visitors = [this.#whoIs(raw), previews?.viewerOf(raw) ?? anonymous];
    const viewer = visitors.flatMap((one) => previewerFor(wanted, one, at) ?? [])[0];
    if (viewer === undefined) {
      const isKnown = visitors.some(({ id }) => id !== anonymous.id);
      return previews === undefined || isKnown ? missingPage(model()) : previews.ask(raw);
    }
    return withCost(new Cost(), () => previewPage(wanted, viewer, { model: model(), url: raw.url ?? '' }));
  }

  /** A page for this visit alone: it has a form, or the gate changes it. */
  async #asked(request: FastifyRequest, form: Form | null, passage: Passage): Promise<Reply> {
    const { model, clock, loginThrottle, addressOf, fonts } = this.#options;
    const { raw } = request;
    const attempt = postAttempts(loginThrottle, () => addressOf(raw));
    const said =
      form?.['form'] === 'comment' && !('reply' in passage)
        ? await this.#send(form, { request: raw, id: request.id })
        : null;
    const password = form === null || said !== null ? null : passwordIn(form);
    const refused = said !== null && 'reason' in said ? said : null;
    const takesComments = this.#takesComments;
    const asked = { url: raw.url ?? '', now: clock(), password, attempt, takesComments, refused, fonts };
    const make = () =>
      'reply' in passage ? this.#themed(passage.reply) : this.#shown(this.#replyWith(passage.headers, asked));
    const made = said !== null && 'link' in said ? sentOn(said, model()) : withCost(new Cost(), make);
    return pageBytes(made, made.status === 200 && raw.method !== 'POST');
  }

  async #send(...[form, visit]: Parameters<SendComment>): Promise<SentComment> {
    const { sendComment } = this.#options;
    return sendComment?.(form, visit) ?? { fields: {}, status: 403, reason: 'Comments are closed.' };
  }

  #replyWith(headers: PageReply['headers'], request: PageRequest): PageReply {
    const reply = answerPage(request, this.#options.model());
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }

  #themed(reply: PageReply): PageReply {
    const { fonts, model } = this.#options;
    return this.#shown(fonts === undefined ? reply : { ...reply, body: withTheme(reply.body, fonts, model()) });
  }

  #shown(reply: PageReply): PageReply {
    return shownAsOf(reply, this.#options.asOf);
  }
}

interface PlainPages extends Pick<PageServerOptions, 'model' | 'clock' | 'fonts' | 'asOf'> {
  readonly takesComments: boolean;
}

/** A page that is the same for everybody. */
export function plainPageAt(url: string, { model, clock, fonts, asOf, takesComments }: PlainPages): PageReply {
  const asked = { url, now: clock(), password: null, attempt: noAttempt, takesComments, fonts };
  return shownAsOf(answerPage(asked, model()), asOf);
}

function shownAsOf(reply: PageReply, asOf: AsOf | undefined): PageReply {
  return asOf === undefined ? reply : { ...reply, body: pageAsOf(reply.body, asOf) };
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
function sentOn({ id, link, isHeld }: Extract<SentComment, { readonly link: string }>, model: Model): PageReply {
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

/** Describes a representation, which the client of a 304 may hold in another form. */
const REPRESENTATION = /^Content-(?:Type|Length|Encoding)$/;

function unlessKnown(request: IncomingMessage, reply: Reply): Reply {
  const { head, tag } = reply;
  const sent = headerIn(request.headers, 'if-none-match');
  const named = tag === null || sent === undefined ? null : namedTag(sent, tag);
  const isUnchanged = named !== null || (sent === undefined && isKnownSince(request, head));
  if (!isUnchanged) return reply;
  const kept = head.flatMap((value, i) => {
    const name = head[i - (i % 2)] ?? '';
    return REPRESENTATION.test(name) ? [] : [i % 2 === 1 && name === 'ETag' ? (named ?? value) : value];
  });
  return { status: 304, head: kept, body: Buffer.alloc(0), tag: named };
}

/** Whether a client that has no tag holds what was changed last at a moment. */
function isKnownSince(request: IncomingMessage, head: Reply['head']): boolean {
  const changed = Date.parse(valueIn(head, 'Last-Modified') ?? '');
  const held = Date.parse(headerIn(request.headers, 'if-modified-since') ?? '');
  return changed <= held;
}

function sendPage(reply: FastifyReply, { status, head, body }: Reply): void {
  for (let i = 0; i < head.length; i += 2) reply.header(head[i] ?? '', head[i + 1]);
  reply.code(status).send(body.length === 0 ? undefined : body);
}
