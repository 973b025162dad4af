import type { Site } from '#domain/site/state.ts';
import { asHtml, type Content, type Html, html } from '#text/html.ts';
import { css, stylePolicy } from '../audit/sheet.ts';
import { credentialFields, type PageReply } from '../server/page-reply.ts';
import { type AuthorizationRequest, formTarget } from './request.ts';

export interface AuthorizeSheet {
  readonly title: string;
  readonly main: Content;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page without scripts that cannot be framed. Its forms are sent here, and may be redirected to the addresses of the wish. */
export function sheetReply(
  { title, main, status = 200, headers }: AuthorizeSheet,
  site: Site,
  wish: AuthorizationRequest | null,
): PageReply {
  const targets = [wish?.success ?? null, wish?.refused ?? null].flatMap((address) => address ?? []).map(formTarget);
  const policy = [
    "default-src 'none'",
    "frame-ancestors 'none'",
    `style-src ${stylePolicy}`,
    ["form-action 'self'", ...new Set(targets)].join(' '),
    "base-uri 'none'",
  ];
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policy.join('; '),
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      // Without a referrer, browsers would not name the origin of forms.
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: documentOf(title, main, site),
  };
}

function documentOf(title: string, main: Content, { name }: Site): readonly string[] {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${name}</title>
<style>${asHtml(css)}</style>
</head>
<body>
<header class="top"><p class="name">${name}</p></header>
<main id="main">
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.pieces;
}

interface FormParts {
  readonly wish: AuthorizationRequest;
  readonly token: string;
  readonly complaint?: string | undefined;
}

/** The form has no action: it is sent to the address of the page, with its query. */
export function loginForm({ wish, token, complaint, login = '' }: FormParts & { readonly login?: string }): Html {
  return html`<p>${programOf(wish)} would like to use your account here. Log in to say whether it may.</p>
${complaintOf(complaint)}
<form class="login" method="post">
<input type="hidden" name="token" value="${token}">
${credentialFields(login)}
<p class="buttons"><button name="do" value="login">Log in</button></p>
</form>`;
}

export function consentForm({ wish, token, complaint, account }: FormParts & { readonly account: string }): Html {
  const { success, refused } = wish;
  return html`<p>You are logged in as <strong>${account}</strong>. If you approve, ${programOf(wish)} gets a password of its own, with which it can do what you can do here until you withdraw it.</p>
<p class="fine">${success === null ? 'You will be shown the password once, to type it there.' : html`The password is taken to <code>${placeOf(success)}</code>.`}</p>
${complaintOf(complaint)}
<form class="login" method="post">
<input type="hidden" name="token" value="${token}">
<p class="field"><label for="name">Name of the password</label><input id="name" name="name" maxlength="200" required value="${wish.name}"></p>
<p class="buttons"><button name="do" value="approve">Approve</button> <button class="button" name="do" value="refuse" formnovalidate>Refuse</button></p>
${refused === null ? null : html`<p class="fine">If you refuse, you are taken to <code>${placeOf(refused)}</code>.</p>`}
</form>`;
}

export function passwordShown(password: string, name: string): Html {
  return html`<p>The password of ${name}:</p>
<p><code class="hash">${password}</code></p>
<p>It is shown this once. Type it in the program, with or without blanks.</p>`;
}

function complaintOf(complaint: string | undefined): Html | null {
  return complaint === undefined ? null : html`<p class="notice" role="alert">${complaint}</p>`;
}

function programOf({ name }: AuthorizationRequest): Content {
  return name === '' ? 'A program' : html`<strong>${name}</strong>`;
}

function placeOf({ origin, protocol, host, pathname }: URL): string {
  return origin === 'null' ? `${protocol}${host === '' ? '' : `//${host}`}${pathname}` : origin;
}
