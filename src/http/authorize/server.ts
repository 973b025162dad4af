import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Session, WriteContext } from '#commands/session.ts';
import { issuePassword } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { plainLine } from '#domain/term/text.ts';
import { tools } from '#domain/tools/area.ts';
import { anonymous, refusalToWrite, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { html } from '#text/html.ts';
import { turnedAway } from '../message/attempts.ts';
import { refusalFor, statusOf } from '../message/problem.ts';
import type { Authenticator } from '../server/auth.ts';
import { methodsOf, route } from '../server/exchange.ts';
import { type Intake, readSmallForm, textField } from '../server/intake.ts';
import type { Origins } from '../server/origin.ts';
import { type PageReply, seeOther } from '../server/page-reply.ts';
import { cookiesIn, pageCookie, type Sessions } from '../server/sessions.ts';
import { type AuthorizeSheet, consentForm, loginForm, passwordShown, sheetReply } from './page.ts';
import { type AuthorizationRequest, authorizationRequestIn, withParameters } from './request.ts';

export interface Accounts {
  readonly reader: Model;
  submit<T>(
    context: WriteContext,
    work: (session: Session) => T,
  ): Promise<{ readonly value: T; readonly position: number }>;
}

export interface AuthorizationOptions {
  readonly accounts: Accounts;
  /** Logins to this page, which last as long as a decision takes. */
  readonly sessions: Sessions;
  readonly intake: Intake;
  readonly authenticator: Authenticator;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly origins: Origins | undefined;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

interface Visit {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly wish: AuthorizationRequest;
  readonly viewer: Viewer | null;
}

interface Made {
  readonly reply: PageReply;
  readonly position?: number;
}

const PATH = '/authorize-application';
const TITLE = 'Authorize an application';

/** Serves the page where users log in and give a program a password of its own (interface behaviour, section 39). */
export function addAuthorization(app: FastifyInstance, options: AuthorizationOptions): void {
  const page = new AuthorizationPage(options);
  const send = (reply: FastifyReply, made: PageReply) =>
    reply.code(made.status).headers(made.headers).send(made.body.join(''));
  app.setErrorHandler((error, request, reply) => {
    options.onFault(error, request.id);
    send(reply, page.fault(error));
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const viewer = page.viewerIn(request.raw);
    const { reply: made, position = null } = await page.answer(request.raw, request.id, viewer);
    const { id: actor } = viewer ?? anonymous;
    request.answered = { route: 'authorize', actor, position, ms: performance.now() - started };
    send(reply, made);
    return reply;
  };
  app.route(route(methodsOf(app), PATH, handler));
}

class AuthorizationPage {
  readonly #options: AuthorizationOptions;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  viewerIn(request: IncomingMessage): Viewer | null {
    const { sessions, accounts } = this.#options;
    return sessions.viewerOf(cookiesIn(request)['authorize'], accounts.reader);
  }

  async answer(request: IncomingMessage, id: string, viewer: Viewer | null): Promise<Made> {
    const { url = '', method = '' } = request;
    const wish = authorizationRequestIn(new URL(url, 'http://site.invalid').searchParams);
    if (this.#options.accounts.reader.plugin(tools).switches.disable_authentication_password) {
      const main = html`<p>No passwords are given to applications here.</p>`;
      return { reply: this.#sheet({ main, status: 501 }, null) };
    }
    if (typeof wish === 'string') {
      return { reply: this.#sheet({ main: html`<p class="notice" role="alert">${wish}</p>`, status: 400 }, null) };
    }
    const visit = { request, id, wish, viewer };
    if (method === 'POST') return this.#submit(visit);
    if (method === 'GET' || method === 'HEAD') return { reply: this.#form(visit) };
    const main = html`<p>This cannot be done here.</p>`;
    return { reply: this.#sheet({ main, status: 405, headers: { Allow: 'GET, HEAD, POST' } }, wish) };
  }

  fault(error: unknown): PageReply {
    const main = html`<p>This does not work at the moment. Please try again later.</p>`;
    return this.#sheet({ main, status: statusOf(refusalFor(error), anonymous) }, null);
  }

  async #submit(visit: Visit): Promise<Made> {
    const { intake, isForeign, sessions } = this.#options;
    const { request } = visit;
    const sent = await readSmallForm(request, intake);
    // Not earlier: another request may have ended the login meanwhile.
    const viewer = this.viewerIn(request);
    const field = (name: string) => textField(sent, name);
    const known = cookiesIn(request)['authorize-form'];
    if (isForeign(request.headers) || field('token') !== known || !sessions.isFormToken(field('token'))) {
      const complaint = 'The form was too old or came from elsewhere. Please try again.';
      return { reply: this.#form(visit, { status: 403, complaint }) };
    }
    if (field('do') === 'login') return { reply: await this.#logIn(visit, field('login'), field('password')) };
    if (viewer === null) return { reply: this.#form(visit, { status: 401, complaint: 'Please log in again.' }) };
    const refusal = refusalToWrite(viewer);
    if (field('do') === 'approve' && refusal !== null) {
      return { reply: this.#form(visit, { status: 403, complaint: refusal.message }) };
    }
    if (field('do') === 'approve' && nameIn(field('name')) === '') {
      return { reply: this.#form(visit, { status: 400, complaint: 'The password needs a name.' }) };
    }
    // Before anything is awaited: one login is for one decision.
    sessions.end(cookiesIn(request)['authorize']);
    return field('do') === 'approve'
      ? this.#approve(visit, viewer, nameIn(field('name')))
      : { reply: this.#refuse(visit) };
  }

  async #logIn(visit: Visit, login: string, password: string): Promise<PageReply> {
    const { authenticator, addressOf, sessions } = this.#options;
    const viewer = await authenticator.check(login, password, addressOf(visit.request));
    if (isRefusal(viewer)) return this.#form(visit, { login, ...turnedAway(viewer) });
    const begun = this.#cookie('authorize', sessions.begin(viewer), sessions.seconds.session);
    return seeOther(`.${visit.request.url ?? PATH}`, begun);
  }

  async #approve(visit: Visit, viewer: Viewer, name: string): Promise<Made> {
    const { accounts, origins, addressOf } = this.#options;
    const { request, id, wish } = visit;
    const { value, position } = await accounts.submit({ viewer, correlationId: id }, (session) => {
      const user = session.user(viewer.id);
      if (user === undefined) return null;
      const issued = issuePassword(session, user, { name, appId: wish.appId });
      return isRefusal(issued) ? issued : { login: user.login, password: issued.password };
    });
    if (value === null) return { reply: this.#form({ ...visit, viewer: null }) };
    if (isRefusal(value)) return { reply: this.#form(visit, { status: 400, complaint: value.message }) };
    origins?.note?.({ position, correlationId: id, address: addressOf(request) });
    const { login, password } = value;
    const ended = this.#cookie('authorize', '', 0);
    if (wish.success === null) {
      const main = passwordShown(password, name);
      return { position, reply: this.#sheet({ main, headers: { 'Set-Cookie': ended } }, wish) };
    }
    const siteUrl = accounts.reader.site().storeUrl;
    const given = { site_url: siteUrl, user_login: login, password: password.replaceAll(' ', '') };
    return { position, reply: seeOther(withParameters(wish.success, given).href, ended) };
  }

  #refuse({ wish }: Visit): PageReply {
    const ended = this.#cookie('authorize', '', 0);
    if (wish.refused !== null) return seeOther(wish.refused.href, ended);
    const main = html`<p>The application got no password.</p>`;
    return this.#sheet({ main, headers: { 'Set-Cookie': ended } }, wish);
  }

  #form(
    { request, wish, viewer }: Visit,
    more: Partial<AuthorizeSheet> & { complaint?: string; login?: string } = {},
  ): PageReply {
    const { sessions, accounts } = this.#options;
    const token = sessions.formToken(cookiesIn(request)['authorize-form']);
    const account = viewer === null ? undefined : accounts.reader.user(viewer.id)?.displayName;
    const parts = { wish, token, complaint: more.complaint };
    const main =
      account === undefined ? loginForm({ ...parts, login: more.login ?? '' }) : consentForm({ ...parts, account });
    const headers = { 'Set-Cookie': this.#cookie('authorize-form', token, sessions.seconds.form), ...more.headers };
    return this.#sheet({ main, status: more.status ?? 200, headers }, wish);
  }

  #sheet(made: Omit<AuthorizeSheet, 'title'>, wish: AuthorizationRequest | null): PageReply {
    return sheetReply({ title: TITLE, ...made }, this.#options.accounts.reader.site(), wish);
  }

  #cookie(name: string, value: string, seconds: number): string {
    return pageCookie(name, value, { siteUrl: this.#options.accounts.reader.site().storeUrl, path: PATH, seconds });
  }
}

function nameIn(sent: string): string {
  return plainLine(sent).slice(0, 200);
}
