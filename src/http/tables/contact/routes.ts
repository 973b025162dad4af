import { contactNamespace as name } from '#site/contact.ts';
import type { Namespace } from '../plugins/kit/namespace.ts';
import { tableOf } from '../plugins/kit/table.ts';
import * as answers from './answers.ts';
import { listArgs, listMessages, messageIdArgs, removeMessage, showMessage } from './list.ts';
import { messageArgs, receive } from './receive.ts';

const access = 'editOthers';

export const contactForms: Namespace = {
  name,
  additions: () =>
    tableOf(name, [
      {
        method: 'GET',
        path: 'messages',
        access,
        summary: 'List the messages of contact forms',
        args: listArgs,
        answers: answers.messages,
        query: listMessages,
      },
      {
        method: 'POST',
        path: 'messages',
        access: 'public',
        summary: 'Send a message by a contact form',
        args: messageArgs,
        answers: answers.sent,
        command: receive,
      },
      {
        method: 'GET',
        path: 'messages/(?P<id>[\\d]+)',
        access,
        summary: 'Show a message',
        args: messageIdArgs,
        answers: answers.message,
        query: showMessage,
      },
      {
        method: 'DELETE',
        path: 'messages/(?P<id>[\\d]+)',
        access,
        summary: 'Delete a message',
        args: messageIdArgs,
        answers: answers.messageDeleted,
        command: removeMessage,
      },
    ]),
};
