import { z } from 'zod';
import { descriptorOf } from '../engine/descriptors.ts';
import { feedArgs } from '../feed/routes.ts';
import { commitSchema } from '../feed/schema.ts';
import { changesMessage, type Message as SignedMessage, signedHeaders, testMessage } from '../hooks/message.ts';
import { changesMessageSchema, messageHeadersSchema, testMessageSchema } from '../hooks/schema.ts';
import { schemaOf } from '../openapi/schema.ts';
import type { Schema } from '../openapi/types.ts';
import { commitEvent, commitEventSchema, messageEvent, messageEventSchema } from './cloud-events.ts';

type Part = Readonly<Record<string, unknown>>;

export interface AsyncDocument extends Part {
  readonly asyncapi: '3.0.0';
  readonly components: { readonly messages: Readonly<Record<string, DescribedMessage>>; readonly schemas: Part };
}

export interface DescribedMessage {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: string;
  readonly headers?: Schema;
  readonly payload: Part;
  readonly examples: readonly {
    readonly name: string;
    readonly headers?: Part;
    readonly payload: unknown;
  }[];
}

const JSON_TYPE = 'application/json';
const CLOUD_EVENT_TYPE = 'application/cloudevents+json';

const info = {
  title: 'Changes of a site',
  version: '2',
  description: `Every commit of the site, in order: as server-sent events for clients that connect, and as signed \
messages to the addresses of webhooks. A viewer learns of a change if they could read the item right \
before or right after the commit.`,
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
};

const servers = {
  site: {
    host: '{host}',
    pathname: '/cms-json',
    protocol: 'http',
    description: 'The site. HTTP Basic with a login and an application password shows more than what is public.',
    variables: { host: { default: 'localhost:8080' } },
  },
  receiver: {
    host: '{host}',
    protocol: 'https',
    description: 'The program that an administrator named as address of a hook.',
    variables: { host: { description: 'Host and port of that address.' } },
  },
};

const sentEvent = z.object({
  event: z.literal('commit'),
  id: z.int().describe('Position of the commit; a client continues after it with `Last-Event-ID`.'),
});

const site = 'https://example.org';
const root = `${site}/cms-json`;
const hook = 1;
const secret = `whsec_${'A'.repeat(32)}`;
const sentAt = Date.parse('2026-03-01T12:00:00.100Z');

/** Describes the live feed and webhooks in AsyncAPI 3.0. */
export function describeMessages(): AsyncDocument {
  const { since } = feedArgs;
  const http = (method: string, more: Part = {}) => ({ http: { method, ...more, bindingVersion: '0.3.0' } });
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: JSON_TYPE,
    servers,
    channels: {
      feed: {
        address: '/cms/v2/changes',
        servers: [reference('servers', 'site')],
        title: 'Live feed',
        description: `Server-sent events. After a disconnect a client continues with \`Last-Event-ID\` or \`since\`. At first, and if 15 \
seconds pass without a commit, an event \`position\` advances the id.`,
        messages: { commit: inComponents('messages', 'commit') },
      },
      hook: {
        address: null,
        servers: [reference('servers', 'receiver')],
        title: 'Webhook',
        description: `Messages in the format of Standard Webhooks. Each is sent until the receiver answers with a status \
from 200 to 299, and before the next one.`,
        messages: {
          changed: inComponents('messages', 'changed'),
          test: inComponents('messages', 'test'),
        },
      },
    },
    operations: {
      streamCommits: {
        action: 'send',
        channel: reference('channels', 'feed'),
        summary: 'Send each commit to the clients that follow the feed',
        messages: [reference('channels', 'feed', 'messages', 'commit')],
        bindings: http('GET', { query: { type: 'object', properties: { since: schemaFor(since.schema) } } }),
      },
      callHook: {
        action: 'send',
        channel: reference('channels', 'hook'),
        summary: 'Send changes to the address of a hook',
        messages: ['changed', 'test'].map((name) => reference('channels', 'hook', 'messages', name)),
        bindings: http('POST'),
      },
    },
    components: {
      messages: messages(),
      schemas: {
        commit: schemaFor(commitSchema),
        changed: schemaFor(changesMessageSchema),
        test: schemaFor(testMessageSchema),
        commitEvent: eventSchema(commitEventSchema, inComponents('schemas', 'commit')),
        changedEvent: eventSchema(messageEventSchema, inComponents('schemas', 'changed/properties/data')),
      },
    },
  };
}

function messages(): AsyncDocument['components']['messages'] {
  const { commit, changed, test } = samples();
  return {
    commit: {
      name: 'commit',
      title: 'Commit',
      summary: 'What a commit changed, as far as the viewer may know.',
      contentType: JSON_TYPE,
      headers: { ...schemaFor(sentEvent), description: 'Fields of the server-sent event beside `data`.' },
      payload: inComponents('schemas', 'commit'),
      examples: [{ name: 'published', headers: { event: 'commit', id: commit.position }, payload: commit }],
    },
    changed: {
      name: 'site.changed',
      title: 'Changes for a hook',
      summary: 'One or more commits, as far as the user of the hook may know and the hook asks for.',
      contentType: JSON_TYPE,
      headers: schemaFor(messageHeadersSchema),
      payload: inComponents('schemas', 'changed'),
      examples: [{ name: 'published', headers: changed.headers, payload: changed.payload }],
    },
    test: {
      name: 'hook.test',
      title: 'Test of a hook',
      summary: 'Sent by the command `hooks test`.',
      contentType: JSON_TYPE,
      headers: schemaFor(messageHeadersSchema),
      payload: inComponents('schemas', 'test'),
      examples: [{ name: 'test', ...test }],
    },
    commitEvent: {
      name: 'palimpsest.commit',
      title: 'Commit as a CloudEvent',
      summary: 'How a receiver writes a commit of the feed as a CloudEvent. The site does not send it in this form.',
      contentType: CLOUD_EVENT_TYPE,
      payload: inComponents('schemas', 'commitEvent'),
      examples: [{ name: 'published', payload: commitEvent(commit, root) }],
    },
    changedEvent: {
      name: 'palimpsest.site.changed',
      title: 'Changes for a hook as a CloudEvent',
      summary: 'How a receiver writes a message of a hook as a CloudEvent. The site does not send it in this form.',
      contentType: CLOUD_EVENT_TYPE,
      payload: inComponents('schemas', 'changedEvent'),
      examples: [{ name: 'published', payload: messageEvent(changed.payload, { id: changed.id, root }) }],
    },
  };
}

/** Messages as the site sends them. */
function samples() {
  const change = { resource: 'posts', id: 4, what: 'published', link: `${site}/hello/` } as const;
  const commit = { position: 378, at: '2026-03-01T12:00:00.000Z', changes: [change] };
  const changed = changesMessage({ site: '0195512e7f3c', hook, round: 0, from: 377, to: 378 }, site, [commit]);
  const test = testMessage(hook, site, Date.parse(commit.at));
  return {
    commit,
    changed: {
      id: changed.id,
      headers: headersOf(changed),
      payload: changesMessageSchema.parse(JSON.parse(changed.body)),
    },
    test: { headers: headersOf(test), payload: testMessageSchema.parse(JSON.parse(test.body)) },
  };
}

function headersOf(message: SignedMessage): Part {
  const { 'Content-Type': _, ...headers } = signedHeaders(message, { secret, former: null }, sentAt);
  return headers;
}

function schemaFor(schema: z.ZodType): Schema {
  return schemaOf(descriptorOf(schema));
}

function eventSchema(attributes: z.ZodType, data: Part): Schema {
  const { properties, required, ...rest } = schemaFor(attributes) as { properties: Part; required: readonly string[] };
  return { ...rest, properties: { ...properties, data }, required: [...required, 'data'] };
}

function inComponents(kind: 'messages' | 'schemas', name: string): Part {
  return reference('components', kind, name);
}

function reference(...path: readonly string[]): Part {
  return { $ref: `#/${path.join('/')}` };
}
