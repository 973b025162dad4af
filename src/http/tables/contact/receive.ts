import { z } from 'zod';
import { takeMessage } from '#commands/contact.ts';
import type { Session } from '#commands/session.ts';
import type { Draft } from '#domain/contact/decide.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/items.ts';
import { contactFormOf, longestFields, outcomeParameter, trapField } from '#site/contact.ts';
import type { Answer, Args, Call } from '../../engine/types.ts';
import { fresh, invalidData } from '../plugins/kit/envelopes.ts';
import { documented } from '../plugins/kit/table.ts';

export const messageArgs: Args<Model> = {
  form_id: { schema: z.int().min(1).describe('Page that the form is on.'), required: true },
  name: documented(z.string().min(1).max(longestFields.name)),
  email: documented(z.email().max(longestFields.email)),
  subject: documented(z.string().max(longestFields.subject)),
  message: documented(z.string().min(1).max(longestFields.message)),
  [trapField]: documented(z.string().max(0).describe('Has to be empty: people do not see it.')),
};

const longestAgent = 254;

export function receive(call: Call<Session>): Answer | Refusal {
  const { model: session, params } = call;
  const form = contactFormOf(Number(params['form_id']), session);
  if (form === null) return invalidData({ form_id: 'There is no such contact form.' });
  // A program that fills in the trap is not documented so.
  if (text(params[trapField]) !== '') return reply(call, form, 'sent');
  const draft = draftIn(call, form.id);
  if (isRefusal(draft)) return isBrowser(call) ? reply(call, form, 'invalid') : draft;
  const refusal = takeMessage(session, draft);
  if (refusal === null) return reply(call, form, 'sent');
  return isBrowser(call) ? reply(call, form, 'too-many') : refusal;
}

function reply(call: Call<Session>, form: EntryRow, outcome: string): Answer {
  if (!isBrowser(call)) return fresh({ sent: true });
  const address = `${permalink(form, call.model)}?${outcomeParameter}=${outcome}#contact-form`;
  return { ...fresh(null), status: 303, headers: { Location: address, 'Cache-Control': 'no-store' }, idle: true };
}

function isBrowser({ request }: Call<Session>): boolean {
  return request.header('accept')?.includes('text/html') === true;
}

const MAIL = /^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\][^\s@<>"(),;:\\.]*\.[^\s@<>"(),;:\\]{2,}$/;

function draftIn({ params, request }: Call<Session>, form: number): Draft | Refusal {
  const [name, email, subject] = ['name', 'email', 'subject'].map((field) => line(params[field]));
  const message = text(params['message']).replaceAll('\r\n', '\n').trim();
  const draft = { form, name: name ?? '', email: email ?? '', subject: subject ?? '', message };
  const errors: Record<string, string> = {};
  for (const [field, max] of Object.entries(longestFields) as [keyof typeof longestFields, number][]) {
    if (draft[field] === '' && field !== 'subject') errors[field] = `${field} is required.`;
    else if (draft[field].length > max) errors[field] = `${field} is longer than ${max} characters.`;
  }
  if (errors['email'] === undefined && !MAIL.test(draft.email)) errors['email'] = 'email is no mail address.';
  if (Object.keys(errors).length > 0) return invalidData(errors);
  const agent = (request.header('user-agent') ?? '').slice(0, longestAgent).toWellFormed();
  return { ...draft, ip: request.peer, agent };
}

function text(value: unknown): string {
  return typeof value === 'string'
    ? value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    : '';
}

function line(value: unknown): string {
  return text(value).replace(/\s+/g, ' ').trim();
}
