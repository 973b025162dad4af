import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type ContactMessage, contact } from '#domain/contact/area.ts';
import { deleteMessage } from '#domain/contact/decide.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { namespaceUrl } from '#site/addresses/interface.ts';
import { contactNamespace, messagesIn } from '#site/contact.ts';
import type { Answer, Args, Call } from '../../engine/types.ts';
import { fresh } from '../plugins/kit/envelopes.ts';
import { pagingHeaders } from '../records/listing.ts';

export const listArgs: Args<Model> = {
  page: { schema: z.int().min(1).default(1).describe('Current page of the list.') },
  per_page: { schema: z.int().min(1).max(100).default(10).describe('Messages on a page.') },
  form: { schema: z.int().min(1).describe('Only messages sent by the form on this page.') },
};
export const messageIdArgs: Args<Model> = { id: { schema: z.int().describe('Identifier of a message.') } };

export function listMessages(call: Call<Model>): Answer {
  const { model, params } = call;
  const [page, limit] = [Number(params['page']), Number(params['per_page'])];
  const form = params['form'] === undefined ? null : Number(params['form']);
  const all = messagesIn(model).filter((one) => form === null || one.form === form);
  const site = model.site();
  const headers = pagingHeaders(call, {
    url: `${namespaceUrl(site, contactNamespace)}/messages`,
    prefix: site.names.headers,
    page,
    total: all.length,
    pages: Math.ceil(all.length / limit),
  });
  const answer = fresh(all.slice((page - 1) * limit, page * limit).map(shown));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function showMessage({ model, params }: Call<Model>): Answer | Refusal {
  const { message } = model.plugin(contact, String(params['id']));
  return message === null ? noMessage : fresh(shown(message));
}

export function removeMessage({ model: session, params }: Call<Session>): Answer | Refusal {
  const document = session.plugin(contact, String(params['id']));
  if (document.message === null) return noMessage;
  stageIn(session, contact, deleteMessage(document));
  return fresh({ deleted: true, previous: shown(document.message) });
}

const noMessage = refuse('contact_message_not_found', 'There is no such message.');

function shown({ id, form, at, name, email, subject, message, ip, agent }: ContactMessage) {
  return { id, form, date: at, name, email, subject, message, author_ip: ip, author_user_agent: agent };
}
