import { z } from 'zod';
import { entries } from '#projections/entries/definition.ts';
import type { Model } from '#projections/reading/model.ts';
import { contactForm, contactFormOf, contactTemplate } from '#site/contact.ts';
import { titleOf } from '#site/rendering/fragments.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';

export const formID = lenient('formID', z.int().min(0), { required: true });

/** A form is a published page with the contact form template, named by its title. */
export function listForms({ model }: Call<Model>): Answer {
  const forms = model
    .present()
    .of(entries)
    .templated(contactTemplate)
    .flatMap((id) => contactFormOf(id, model) ?? []);
  if (forms.length === 0) return failure('There are no contact forms.');
  return success(Object.fromEntries(forms.map((form) => [form.id, titleOf(form)])));
}

export function renderForm(call: Call<Model>): Answer {
  const id = formID.of(call) ?? 0;
  if (id === 0) return failure('No contact form is chosen.');
  const form = contactFormOf(id, call.model);
  return form === null
    ? failure('There is no such contact form.')
    : success(contactForm({ id, title: titleOf(form) }, call.model).markup);
}
