import type { IncomingMessage } from 'node:http';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import { type Html, html } from '#text/html.ts';
import { turnedAway } from '../message/attempts.ts';
import type { Authenticator } from '../server/auth.ts';
import { type Intake, readSmallForm, textField } from '../server/intake.ts';
import { credentialFields, type PageReply, seeOther } from '../server/page-reply.ts';
import { cookiesIn, pageCookie, type Sessions } from '../server/sessions.ts';
import { auditReply, depthOf } from './answer.ts';
import type { AuditStore } from './store.ts';

export interface LoginOptions {
  readonly store: AuditStore;
  readonly sessions: Sessions;
  readonly intake: Intake;
  readonly check: Authenticator['check'];
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
}

interface Shown {
  readonly status: number;
  /** The requested page: path and query below the root. */
  readonly to: string;
  readonly complaint?: string;
  readonly login?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** After a `Basic` challenge, browsers would send the credentials with every request to the site. */
const CHALLENGE = 'Cookie realm="Audit", form-action="/cms-audit/login", cookie-name=audit';

/** Login to the audit pages and logout, without scripts. */
export function createLogin({ store, sessions, intake, check, isForeign, addressOf }: LoginOptions) {
  const cookie = (name: string, value: string, seconds: number) =>
    pageCookie(name, value, { siteUrl: store.reader.site().storeUrl, path: '/cms-audit/', seconds });
  const form = (request: IncomingMessage, shown: Shown): PageReply => {
    const { url = '' } = request;
    const token = sessions.formToken(cookiesIn(request)['audit-form']);
    const sheet = {
      title: 'Log in',
      depth: depthOf(url),
      main: formOf(shown, token, depthOf(url)),
      status: shown.status,
    };
    const reply = auditReply(sheet, null, { store });
    const own = { 'Set-Cookie': cookie('audit-form', token, sessions.seconds.form), ...shown.headers };
    return { ...reply, headers: { ...reply.headers, ...own } };
  };
  const submit = async (request: IncomingMessage): Promise<PageReply> => {
    const sent = await fieldsIn(request, intake);
    const { to, login } = sent;
    const again = (status: number, complaint: string) => form(request, { status, to, login, complaint });
    const token = cookiesIn(request)['audit-form'];
    if (isForeign(request.headers) || sent.token !== token || !sessions.isFormToken(sent.token)) {
      return again(403, 'The form was too old or came from elsewhere. Please try again.');
    }
    const viewer = await check(login, sent.password, addressOf(request));
    if (isRefusal(viewer)) {
      const shown = turnedAway(viewer);
      const challenge = shown.status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {};
      return form(request, { to, login, ...shown, headers: { ...shown.headers, ...challenge } });
    }
    if (!may(viewer, 'manage_options')) return again(403, 'This is for administrators and auditors.');
    return seeOther(placeOf(to), cookie('audit', sessions.begin(viewer), sessions.seconds.session));
  };
  const leave = (request: IncomingMessage): PageReply => {
    if (isForeign(request.headers))
      return form(request, { status: 403, to: '', complaint: 'That came from elsewhere.' });
    sessions.end(cookiesIn(request)['audit']);
    return seeOther('./login', cookie('audit', '', 0));
  };
  return {
    /** The token of forms on the pages of a session, and the cookie that has to come with it. */
    formToken: (request: IncomingMessage) => {
      const token = sessions.formToken(cookiesIn(request)['audit-form']);
      return { token, cookie: cookie('audit-form', token, sessions.seconds.form) };
    },
    viewerOf: (request: IncomingMessage) => sessions.viewerOf(cookiesIn(request)['audit'], store.reader),
    ask: (request: IncomingMessage) => {
      const headers = { 'WWW-Authenticate': CHALLENGE };
      return form(request, { status: 401, to: belowRoot(request.url ?? ''), headers });
    },
    form: (request: IncomingMessage) => form(request, { status: 200, to: '' }),
    submit,
    leave,
  };
}

function formOf({ to, complaint, login = '' }: Shown, token: string, depth: number): Html {
  return html`<h1>Log in</h1>
<p>With the login or mail address and the password of an administrator or an auditor.</p>
${complaint === undefined ? null : html`<p class="notice" role="alert">${complaint}</p>`}
<form class="login" method="post" action="${'../'.repeat(depth)}login">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${to}">
${credentialFields(login)}
<p class="buttons"><button>Log in</button></p>
</form>`;
}

async function fieldsIn(request: IncomingMessage, intake: Intake) {
  const sent = await readSmallForm(request, intake);
  const field = (name: string) => textField(sent, name);
  return { token: field('token'), to: field('to'), login: field('login'), password: field('password') };
}

function belowRoot(url: string): string {
  return url.replace(/^\/cms-audit\//, '');
}

function placeOf(to: string): string {
  const root = 'http://site.invalid/cms-audit/';
  const { href } = URL.parse(`./${to}`, root) ?? new URL(root);
  return href.startsWith(root) ? `./${href.slice(root.length)}` : './';
}
