import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OriginLookUp } from '#domain/kernel/origin.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { anonymous, isAuditor, may, type Viewer } from '#domain/user/roles.ts';
import { refusalFor, statusOf } from '../message/problem.ts';
import type { ThemeFonts } from '../pages/themes/fonts.ts';
import type { Authenticator, Identity } from '../server/auth.ts';
import { methodsOf, route } from '../server/exchange.ts';
import { type PageReply, redirectReply } from '../server/page-reply.ts';
import { answerAudit, noticeReply, type ShownSheet } from './answer.ts';
import { createLogin, type LoginOptions } from './login.ts';
import { createRestore, type RestoreOptions } from './restore.ts';
import { visitRoot } from './sheet.ts';
import { createUndo } from './undo.ts';
import { type Visits, visitPast } from './visit.ts';

export interface AuditServerOptions
  extends Omit<LoginOptions, 'check'>,
    Pick<RestoreOptions, 'engine' | 'names' | 'write'> {
  readonly fonts: ThemeFonts | undefined;
  readonly origins: OriginLookUp | undefined;
  readonly authenticator: Authenticator;
  /** Makes pages of the past that take long; absent: they are made here. */
  readonly visits: Visits | undefined;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Audit", charset="UTF-8", error="invalid_credentials"' };

/** Serves the audit pages to administrators and auditors: people log in by a form, programs send Basic credentials. */
export function addAudit(app: FastifyInstance, options: AuditServerOptions): void {
  const { store, authenticator, onFault, addressOf } = options;
  const login = createLogin({ ...options, check: authenticator.check });
  const page = createPages(options, login);
  const restore = createRestore({ ...options, write: options.write });
  const undo = createUndo({ ...options, write: options.write });
  const answer = async ({ raw: request, id }: FastifyRequest, session: Viewer | null, identity: Identity) => {
    const { url = '', method = '' } = request;
    const elsewhere = withSlash(url);
    if (elsewhere !== null) return elsewhere;
    const act = /^\/cms-audit\/(login|logout)(?:\?|$)/.exec(url)?.[1];
    if (act !== undefined && method === 'POST') return act === 'login' ? login.submit(request) : login.leave(request);
    if (act === 'logout') return notAllowed('POST', { url, store });
    if (act === 'login' && session === null) return login.form(request);
    if (act === 'login') return redirectReply('./');
    const account = session === null ? undefined : store.reader.user(session.id)?.displayName;
    const stream = /^\/cms-audit\/things\/([\w-]+)\/restore$/.exec(url)?.[1];
    if (stream !== undefined && method === 'POST' && session !== null)
      return restore(request, { id, viewer: session, account, stream });
    if (/^\/cms-audit\/undo(?:\?|$)/.test(url) && session !== null && may(session, 'manage_options')) {
      const form = login.formToken(request);
      const made = await undo(request, { id, viewer: session, account, token: form.token });
      return { ...made, headers: { ...made.headers, 'Set-Cookie': form.cookie } };
    }
    return page(request, session === null ? identity : { ...identity, viewer: session, wait: 0 }, account);
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const { raw } = request;
    const { url = '', headers } = raw;
    const session = login.viewerOf(raw);
    const asked = session !== null || withSlash(url) !== null ? undefined : headers.authorization;
    const identity = authenticator.identify(asked, () => addressOf(raw));
    const made = await answer(request, session, identity);
    const viewer = session ?? identity.viewer;
    const who = { actor: viewer.id, isAuditor: isAuditor(viewer) };
    request.answered = { route: 'audit', ...who, position: null, ms: performance.now() - started };
    await send(reply, made);
    return reply;
  };
  app.setErrorHandler(async (error, request, reply) => {
    onFault(error, request.id);
    const place = { url: request.raw.url ?? '', store };
    await send(reply, noticeReply('This does not work at the moment', statusOf(refusalFor(error), anonymous), place));
    return reply;
  });
  for (const url of ['/cms-audit', '/cms-audit/*']) app.route(route(methodsOf(app), url, handler));
}

/** Makes what somebody sees who is logged in, or is not. */
function createPages(options: AuditServerOptions, login: ReturnType<typeof createLogin>) {
  const { store, origins, fonts, visits } = options;
  const turnedAway = (request: IncomingMessage, { viewer, failed }: Pick<Identity, 'viewer' | 'failed'>): PageReply => {
    const { url = '', headers } = request;
    if (viewer.id !== anonymous.id) return noticeReply('This is for administrators and auditors', 403, { url, store });
    if (!failed || isBrowser(headers)) return login.ask(request);
    const reply = noticeReply('Login and password do not fit', 401, { url, store });
    return { ...reply, headers: { ...reply.headers, ...CHALLENGE, 'X-CMS-Auth': 'failed' } };
  };
  const visited = async (url: string) => {
    const address = url.slice('/cms-audit/'.length);
    const reply = (await visits?.visit(address)) ?? visitPast(address, { store, fonts });
    return isRefusal(reply) ? noticeReply(reply.message, statusOf(reply, anonymous), { url, store }) : reply;
  };
  return async (request: IncomingMessage, { viewer, failed, wait }: Identity, account?: string): Promise<PageReply> => {
    const { url = '', method = '' } = request;
    if (wait > 0) return throttled(wait, { url, store });
    if (!may(viewer, 'manage_options')) return turnedAway(request, { viewer, failed });
    if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD', { url, store, account });
    const at = /^\/cms-audit\/visit\?at=([\dT%A:-]{1,40})$/.exec(url)?.[1];
    if (at !== undefined) return redirectReply(`${visitRoot}${at.replaceAll('%3A', ':')}/`);
    if (url.startsWith(`/cms-audit/${visitRoot}`)) return visited(url);
    const form = account === undefined || isAuditor(viewer) ? null : login.formToken(request);
    const call = { store, origins, formToken: form?.token ?? null, pause: turn, account };
    const reply = await answerAudit(url, call);
    return form === null ? reply : { ...reply, headers: { ...reply.headers, 'Set-Cookie': form.cookie } };
  };
}

function withSlash(url: string): PageReply | null {
  const found = /^\/cms-audit(\?.*)?$/s.exec(url);
  return found === null ? null : redirectReply(`cms-audit/${found[1] ?? ''}`);
}

/** Browsers that are sent a `Basic` challenge ask their user for the password and then send it with every request to the site. */
function isBrowser(headers: IncomingMessage['headers']): boolean {
  return headers['sec-fetch-site'] !== undefined || headers.accept?.includes('text/html') === true;
}

function throttled(wait: number, place: Place): PageReply {
  const reply = noticeReply('Too many wrong passwords. Please try again later', 429, place);
  return { ...reply, headers: { ...reply.headers, 'Retry-After': String(wait), 'X-CMS-Auth': 'failed' } };
}

function notAllowed(allowed: string, place: Place): PageReply {
  const reply = noticeReply('This cannot be done here', 405, place);
  return { ...reply, headers: { ...reply.headers, Allow: allowed } };
}

type Place = ShownSheet & { readonly url: string };

async function send(reply: FastifyReply, { status, headers, body }: PageReply): Promise<void> {
  reply.code(status).headers(headers).send(body.join(''));
}
