import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { ofUser, type SealedEvent, type Subject, type Subjects } from '#domain/kernel/subject.ts';

export const RequestAnswered = defineEvent({
  type: 'RequestAnswered',
  summary:
    'A write with an idempotency key was answered; for a day the same request gets the same answer and is not carried out again.',
  schema: z.object({
    request: z.string().describe('SHA-256 of method, path, query and body'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).describe('without the headers that every answer has'),
    type: z.string().describe('content type'),
    body: z.string().describe('may repeat sealed texts of the other events of its commit'),
    late: z
      .object({
        mark: z.string().describe('how their names in the body begin'),
        texts: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()]))),
      })
      .optional()
      .describe('texts that show other data: they are made again for each answer, as they were after the commit'),
  }),
  sealed: ['body'],
  erased: { body: 'null' },
  subjects: toldIn,
});

export const requestEvents = [RequestAnswered] as const;
export type RequestEvent = EventOf<(typeof requestEvents)[number]>;

/**
 * Subjects of a response: its user and everything that the commit concerns. Embedded resources could belong to anyone, so they make it
 * `anybody`.
 */
function toldIn({ actor, text, others }: SealedEvent): Subjects {
  const rest = text === null || text.includes('_embedded') ? 'anybody' : 'site';
  return [rest, ...(actor === null ? [] : [ofUser(actor)]), ...(others as readonly Subject[])];
}
