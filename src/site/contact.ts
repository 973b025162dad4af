import { type ContactMessage, contact } from '#domain/contact/area.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { type Html, html } from '#text/html.ts';
import { namespaceUrl } from './addresses/interface.ts';

/** Namespace of the routes that receive and list messages. */
export const contactNamespace = 'contact-forms/v1';
/** Pages with this template show a contact form, whatever the theme. */
export const contactTemplate = 'contact-form';
/** A hidden field; only programs fill it in. */
export const trapField = 'website';
/** The query parameter with the outcome of a message. */
export const outcomeParameter = 'message';

export const longestFields = { name: 200, email: 254, subject: 200, message: 10_000 } as const;

const outcomes: Readonly<Record<string, { readonly role: 'status' | 'alert'; readonly text: string }>> = {
  sent: { role: 'status', text: 'Thank you. Your message was sent.' },
  invalid: {
    role: 'alert',
    text: 'Your message was not sent. Please enter your name, an email address and a message.',
  },
  'too-many': { role: 'alert', text: 'Too many messages have been sent. Please try again later.' },
};

/** The page of a contact form; null if the page is not one, or not public. */
export function contactFormOf(id: number, model: Model): EntryRow | null {
  const row = model.entry(id);
  return row?.kind === 'page' && row.template === contactTemplate && row.status === 'publish' ? row : null;
}

/** All messages, the newest first. */
export function messagesIn(model: Model): readonly ContactMessage[] {
  const kept = [...model.plugins(contact).values()].flatMap(({ message }) => message ?? []);
  return kept.sort((a, b) => b.id - a.id);
}

/** A contact form that works without scripts: the interface receives it and redirects back to the page. */
export function contactForm(form: { readonly id: number; readonly title: string }, model: Model, outcome = ''): Html {
  const action = `${namespaceUrl(model.site(), contactNamespace)}/messages`;
  const message = Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  return html`<form id="contact-form" class="contact-form" method="post" action="${action}" aria-label="${form.title}">
${message === undefined ? null : html`<p role="${message.role}"><strong>${message.text}</strong></p>\n`}<input type="hidden" name="form_id" value="${form.id}">
<p><label>Name <input name="name" autocomplete="name" maxlength="${longestFields.name}" required></label></p>
<p><label>Email <input name="email" type="email" autocomplete="email" maxlength="${longestFields.email}" required></label></p>
<p><label>Subject (optional) <input name="subject" maxlength="${longestFields.subject}"></label></p>
<p><label>Message <textarea name="message" rows="8" maxlength="${longestFields.message}" required></textarea></label></p>
<p class="trap" aria-hidden="true"><label>Leave this empty <input name="${trapField}" tabindex="-1" autocomplete="off"></label></p>
<p><button>Send message</button></p>
</form>`;
}
