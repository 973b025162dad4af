import type { Viewer } from '#domain/user/roles.ts';
import { type Html, html } from '#site/markup/html.ts';

/** The fields of a log-in form. */
export function credentialFields(login: string): Html {
  return html`<p class="field"><label for="login">Login or mail address</label><input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${login}"></p>
<p class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></p>`;
}

/** Whether a viewer has given a login and a password. */
export function isNamed(viewer: Viewer): viewer is Viewer & { readonly password: string } {
  return viewer.password !== undefined;
}
