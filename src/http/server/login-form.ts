import { type Html, html } from '#text/html.ts';

/** The fields of a log-in form. */
export function credentialFields(login: string): Html {
  return html`<p class="field"><label for="login">Login or mail address</label><input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${login}"></p>
<p class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></p>`;
}
