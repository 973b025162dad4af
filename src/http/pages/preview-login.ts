import type { IncomingMessage } from 'node:http';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { html } from '#text/html.ts';
import { turnedAway } from '../engine/attempts.ts';
import type { Authenticator } from '../server/auth.ts';
import { cookiesIn, pageCookie } from '../server/cookies.ts';
import { textField } from '../server/intake.ts';
import { credentialFields } from '../server/login-form.ts';
import { type PageReply, pageReply, seeOther, unkept } from '../server/page-reply.ts';
import type { Sessions } from '../server/sessions.ts';
import { pageDocument } from './layout.ts';

export interface PreviewLoginOptions {
  readonly model: () => Model;
  readonly sessions: Sessions;
  readonly authenticator: Authenticator;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
}

interface Shown {
  readonly status?: number;
  readonly complaint?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Login for those who follow a preview link in a browser. */
export interface PreviewLogin {
  readonly viewerOf: (request: IncomingMessage) => Viewer;
  readonly ask: (request: IncomingMessage, shown?: Shown) => PageReply;
  readonly submit: (request: IncomingMessage, form: Readonly<Record<string, unknown>>) => Promise<PageReply>;
}

/** Name of the form and of the cookie; milliseconds of the session. */
export const PREVIEW = 'preview';
export const previewLength = 60 * 60 * 1000;

export function createPreviewLogin({
  model,
  sessions,
  authenticator,
  isForeign,
  addressOf,
}: PreviewLoginOptions): PreviewLogin {
  const cookie = (name: string, value: string, seconds: number) =>
    pageCookie(name, value, { siteUrl: model().site().url, path: '/', seconds, sameSite: 'lax' });
  const ask: PreviewLogin['ask'] = (request, { status = 401, complaint, headers } = {}) => {
    const token = sessions.formToken(cookiesIn(request)[`${PREVIEW}-form`]);
    const main = html`<h1>Preview</h1>
<p>This page is not public. Log in to see it, if you may edit it.</p>
${complaint === undefined ? null : html`<p role="alert"><strong>${complaint}</strong></p>`}
<form method="post"><input type="hidden" name="form" value="${PREVIEW}"><input type="hidden" name="token" value="${token}">
${credentialFields('')}
<p><button>Log in</button></p></form>`;
    const body = pageDocument({ model: model(), title: 'Preview', canonical: null, main });
    const reply = unkept(pageReply(body, { site: model().site(), status }));
    return {
      ...reply,
      headers: { ...reply.headers, ...headers, 'Set-Cookie': cookie(`${PREVIEW}-form`, token, sessions.seconds.form) },
    };
  };
  return {
    viewerOf: (request) => sessions.viewerOf(cookiesIn(request)[PREVIEW], model()) ?? anonymous,
    ask,
    async submit(request, form) {
      const token = textField(form, 'token');
      if (isForeign(request.headers) || token !== cookiesIn(request)[`${PREVIEW}-form`] || !sessions.isFormToken(token))
        return ask(request, {
          status: 403,
          complaint: 'The form was too old or came from elsewhere. Please try again.',
        });
      const viewer = await authenticator.check(
        textField(form, 'login'),
        textField(form, 'password'),
        addressOf(request),
      );
      if (isRefusal(viewer)) return ask(request, turnedAway(viewer));
      const folder = new URL(model().site().url).pathname.replace(/\/+$/, '');
      const { url = '/' } = request;
      return seeOther(folder + url, cookie(PREVIEW, sessions.begin(viewer), sessions.seconds.session));
    },
  };
}
