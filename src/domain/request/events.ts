import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofUser, type SealedEvent, type Subject, type Subjects } from '#domain/kernel/subject.ts';

export type RequestEvent = EventOf<(typeof requestEvents)[number]>;

export const RequestAnswered = defineEvent({
  type: 'RequestAnswered',
  summary:
    'A write with an idempotency key was answered; for a day the same request gets the same answer and is not carried out again.',
  schema: z.object({
    request: limited.word.describe('SHA-256 of method, path, query and body'),
    status: z.int().min(200).max(599),
    headers: limited.sized(z.record(z.string(), z.string())).describe('without the headers that every answer has'),
    type: limited.word.describe('content type'),
    body: limited.document.describe('may repeat sealed texts of the other events of its commit'),
    own: z.literal(true).optional().describe('the answer shows nothing of others, unless it is embedded'),
    late: z
      .object({
        mark: limited.word.describe('how their names in the body begin'),
        texts: limited.sized(z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))),
      })
      .optional()
      .describe('texts that show other data: they are made again for each answer, as they were after the commit'),
  }),
  sealed: ['body'],
  erased: { body: 'null' },
  subjects: toldIn,
});

export const requestEvents = [RequestAnswered] as const;

/** Which events may happen to requests with one key: after a day the key may be used for another request. */
export const requestSequence: Sequence & { readonly steps: Record<RequestEvent['type'], Step> } = {
  kind: 'request',
  numbered: false,
  steps: {
    RequestAnswered: { from: [initial, existing], to: existing },
  },
};

/** How long a repeated request gets the recorded answer, in milliseconds. */
export const answersStand = 24 * 60 * 60 * 1000;

/** Number of recent answers kept whatever their age. */
export const answersKept = 1000;

const prefix = 'request-';

/**
 * Subjects of a response: its user and everything that the commit concerns. What else it shows could belong to anyone, so that it makes it
 * `anybody`.
 */
function toldIn({ actor, data, text, others }: SealedEvent<{ readonly own?: true | undefined }>): Subjects {
  const isOwn = data.own === true && text !== null && !text.includes('_embedded');
  const rest = isOwn ? 'site' : 'anybody';
  return [rest, ...(actor === null ? [] : [ofUser(actor)]), ...(others as readonly Subject[])];
}

/** Stream of the requests with one key. `key`: digest (hex) of the user and the key sent. */
export function requestStream(key: string): string {
  return prefix + key;
}

export function requestKey(stream: string): string {
  return stream.slice(prefix.length);
}

/** Answers up to the returned time have expired at the given one; both UTC, ISO 8601 with milliseconds. */
export function lapsedBy(at: string): string {
  return new Date(Date.parse(at) - answersStand).toISOString();
}
