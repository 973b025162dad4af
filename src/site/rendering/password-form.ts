import { type Html, html } from '#text/html.ts';

/** A form for the password of an entry, which the page at its address accepts. */
export function passwordMarkup(address: string): Html {
  return html`<form class="post-password-form" method="post" action="${address}">
<p>This content is protected. Enter its password to read it.</p>
<label>Password <input name="password" type="password" autocomplete="off" required></label> <button>Show</button>
</form>`;
}
