import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Session, WriteContext } from '#commands/session.ts';
import { issuePassword } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { tools } from '#domain/plugins/tools/area.ts';
import { plainLine } from '#domain/term/text.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { html } from '#site/markup/html.ts';
import { turnedAway } from '../engine/attempts.ts';
import { refusalFor, statusOf } from '../engine/problem.ts';
import type { Authenticator } from '../server/auth.ts';
import { cookiesIn, pageCookie } from '../server/cookies.ts';
import { methodsOf, route } from '../server/exchange.ts';
import { type Intake, readSmallForm, textField } from '../server/intake.ts';
import type { Origins } from '../server/origin.ts';
import { type PageReply, seeOther } from '../server/page-reply.ts';
import type { Sessions } from '../server/sessions.ts';
import { consentForm, loginForm, passwordShown, type Sheet, sheetReply } from './page.ts';
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
  const { accounts, sessions, intake, authenticator, isForeign, addressOf, origins, onFault } = options;
  const site = () => accounts.reader.site();
  const viewerIn = (request: IncomingMessage) => sessions.viewerOf(cookiesIn(request)['authorize'], accounts.reader);
  const cookie = (name: string, value: string, seconds: number) =>
    pageCookie(name, value, { siteUrl: site().url, path: PATH, seconds });
  const sheet = (made: Omit<Sheet, 'title'>, wish: AuthorizationRequest | null) =>
    sheetReply({ title: TITLE, ...made }, site(), wish);
  const form = (
    { request, wish, viewer }: Visit,
    more: Partial<Sheet> & { complaint?: string; login?: string } = {},
  ) => {
    const token = sessions.formToken(cookiesIn(request)['authorize-form']);
    const account = viewer === null ? undefined : accounts.reader.user(viewer.id)?.displayName;
    const parts = { wish, token, complaint: more.complaint };
    const main =
      account === undefined ? loginForm({ ...parts, login: more.login ?? '' }) : consentForm({ ...parts, account });
    const headers = { 'Set-Cookie': cookie('authorize-form', token, sessions.seconds.form), ...more.headers };
    return sheet({ main, status: more.status ?? 200, headers }, wish);
  };
  const logIn = async (visit: Visit, login: string, password: string): Promise<PageReply> => {
    const viewer = await authenticator.check(login, password, addressOf(visit.request));
    if (isRefusal(viewer)) return form(visit, { login, ...turnedAway(viewer) });
    return seeOther(
      `.${visit.request.url ?? PATH}`,
      cookie('authorize', sessions.begin(viewer), sessions.seconds.session),
    );
  };
  const approve = async (visit: Visit, viewer: Viewer, name: string): Promise<Made> => {
    const { request, id, wish } = visit;
    const { value, position } = await accounts.submit({ viewer, correlationId: id }, (session) => {
      const user = session.user(viewer.id);
      return user === undefined
        ? null
        : { login: user.login, ...issuePassword(session, user, { name, appId: wish.appId }) };
    });
    if (value === null) return { reply: form({ ...visit, viewer: null }) };
    origins?.note?.({ position, correlationId: id, address: addressOf(request) });
    const { login, password } = value;
    const ended = cookie('authorize', '', 0);
    if (wish.success === null) {
      const main = passwordShown(password, name);
      return { position, reply: sheet({ main, headers: { 'Set-Cookie': ended } }, wish) };
    }
    const given = { site_url: site().url, user_login: login, password: password.replaceAll(' ', '') };
    return { position, reply: seeOther(withParameters(wish.success, given).href, ended) };
  };
  const refuse = ({ wish }: Visit): PageReply => {
    const ended = cookie('authorize', '', 0);
    if (wish.refused !== null) return seeOther(wish.refused.href, ended);
    return sheet({ main: html`<p>The application got no password.</p>`, headers: { 'Set-Cookie': ended } }, wish);
  };
  const submit = async (visit: Visit): Promise<Made> => {
    const { request } = visit;
    const sent = await readSmallForm(request, intake);
    // Not earlier: another request may have ended the login meanwhile.
    const viewer = viewerIn(request);
    const field = (name: string) => textField(sent, name);
    const known = cookiesIn(request)['authorize-form'];
    if (isForeign(request.headers) || field('token') !== known || !sessions.isFormToken(field('token'))) {
      const complaint = 'The form was too old or came from elsewhere. Please try again.';
      return { reply: form(visit, { status: 403, complaint }) };
    }
    if (field('do') === 'login') return { reply: await logIn(visit, field('login'), field('password')) };
    if (viewer === null) return { reply: form(visit, { status: 401, complaint: 'Please log in again.' }) };
    if (field('do') === 'approve' && nameIn(field('name')) === '') {
      return { reply: form(visit, { status: 400, complaint: 'The password needs a name.' }) };
    }
    // Before anything is awaited: one login is for one decision.
    sessions.end(cookiesIn(request)['authorize']);
    return field('do') === 'approve' ? approve(visit, viewer, nameIn(field('name'))) : { reply: refuse(visit) };
  };
  const answer = async (request: IncomingMessage, id: string, viewer: Viewer | null): Promise<Made> => {
    const { url = '', method = '' } = request;
    const wish = authorizationRequestIn(new URL(url, 'http://site.invalid').searchParams);
    if (accounts.reader.plugin(tools).switches.disable_authentication_password) {
      return { reply: sheet({ main: html`<p>No passwords are given to applications here.</p>`, status: 501 }, null) };
    }
    if (typeof wish === 'string') {
      return { reply: sheet({ main: html`<p class="notice" role="alert">${wish}</p>`, status: 400 }, null) };
    }
    const visit = { request, id, wish, viewer };
    if (method === 'POST') return submit(visit);
    if (method === 'GET' || method === 'HEAD') return { reply: form(visit) };
    const main = html`<p>This cannot be done here.</p>`;
    return { reply: sheet({ main, status: 405, headers: { Allow: 'GET, HEAD, POST' } }, wish) };
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const viewer = viewerIn(request.raw);
    const { reply: made, position = null } = await answer(request.raw, request.id, viewer);
    const { id: actor } = viewer ?? anonymous;
    request.answered = { route: 'authorize', actor, position, ms: performance.now() - started };
    reply.code(made.status).headers(made.headers).send(made.body.join(''));
    return reply;
  };
  app.setErrorHandler((error, request, reply) => {
    onFault(error, request.id);
    const main = html`<p>This does not work at the moment. Please try again later.</p>`;
    const made = sheet({ main, status: statusOf(refusalFor(error), anonymous) }, null);
    reply.code(made.status).headers(made.headers).send(made.body.join(''));
  });
  app.route(route(methodsOf(app), PATH, handler));
}

function nameIn(sent: string): string {
  return plainLine(sent).slice(0, 200);
}
