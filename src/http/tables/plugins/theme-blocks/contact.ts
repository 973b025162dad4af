import { z } from 'zod';
import { entries } from '#projections/entries/definition.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { html } from '../../../pages/html.ts';
import { contactForm } from '../../entries/checks.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';
import { titleOf } from '../kit/fragments.ts';

export const formID = lenient('formID', z.int().min(0), { required: true });

/** A form is a published page with the template of forms; its title names it. */
export function listForms({ model }: Call<Model>): Answer {
  const forms = model
    .present()
    .of(entries)
    .templated(contactForm)
    .flatMap((id) => formOf(id, model) ?? []);
  if (forms.length === 0) return failure('There are no contact forms.');
  return success(Object.fromEntries(forms.map((form) => [form.id, titleOf(form)])));
}

export function renderForm(call: Call<Model>): Answer {
  const id = formID.of(call) ?? 0;
  if (id === 0) return failure('No contact form is chosen.');
  const form = formOf(id, call.model);
  return form === null ? failure('There is no such contact form.') : success(formMarkup(form));
}

function formOf(id: number, model: Model): EntryRow | null {
  const row = model.entry(id);
  return row?.kind === 'page' && row.template === contactForm && row.status === 'publish' ? row : null;
}

function formMarkup(form: EntryRow): string {
  return html`<form class="contact-form" method="post" aria-label="${titleOf(form)}">
<input type="hidden" name="form_id" value="${form.id}">
<p><label>Name <input name="name" autocomplete="name" required></label></p>
<p><label>Email <input name="email" type="email" autocomplete="email" required></label></p>
<p><label>Subject <input name="subject"></label></p>
<p><label>Message <textarea name="message" rows="8" required></textarea></label></p>
<p><button>Send</button></p>
</form>`.markup;
}
