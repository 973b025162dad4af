import type { Header, Parameter, Response, Schema } from './types.ts';

/** What all routes have in common. */

const flag = { type: 'string' };

export const sharedParameters: Readonly<Record<string, Parameter>> = {
  fields: {
    name: '_fields',
    in: 'query',
    description: 'Returns only these fields; a dot selects a part of a field.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  embed: {
    name: '_embed',
    in: 'query',
    description: 'Embeds the linked records: all of them, or those of the named relations.',
    schema: flag,
  },
  envelope: {
    name: '_envelope',
    in: 'query',
    description: 'Includes status and headers in the body.',
    schema: flag,
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Writes only if the item still has one of these entity tags; otherwise answers 412.',
    schema: flag,
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the client has cached; answers 304 if one of them is current.',
    schema: flag,
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Carries the write out only once, however often it is sent with this key within a day. For users only.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  seen: {
    name: 'X-CMS-Position',
    in: 'header',
    description:
      'Answers from this position in the log or a later one: waits for it, and answers 503 if it does not arrive in time.',
    schema: { type: 'integer', minimum: 0 },
  },
};

export const sharedHeaders: Readonly<Record<string, Header>> = {
  'X-CMS-Total': { description: 'Number of items on all pages.', schema: { type: 'integer', minimum: 0 } },
  'X-CMS-TotalPages': { description: 'Number of pages.', schema: { type: 'integer', minimum: 0 } },
  'X-CMS-Position': {
    description: 'Position of the write in the log.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-CMS-Age': {
    description:
      'Seconds for which it has not been known whether the answer is the newest; only from a node that has lost the event store.',
    schema: { type: 'integer', minimum: 1 },
  },
  Link: { description: 'Related addresses: next and previous page, the page for people.', schema: flag },
  ETag: { description: 'Changes with the answer.', schema: flag },
  Location: { description: 'Address of the created item.', schema: { type: 'string', format: 'uri' } },
  Allow: { description: 'Methods that the viewer may use here.', schema: flag },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
};

/** The body of every error. */
export const errorSchema: Schema = {
  type: 'object',
  title: 'error',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'Error code, for programs.' },
    message: { type: 'string', description: 'Error message, for people.' },
    data: {
      type: ['object', 'null'],
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status.' },
        params: {
          description: 'Names of missing parameters, or the error in each parameter.',
          oneOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'object', additionalProperties: { type: 'string' } },
          ],
        },
        details: {
          type: 'object',
          description: 'The same with error codes.',
          additionalProperties: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
          },
        },
      },
    },
  },
};

export const sharedResponses: Readonly<Record<string, Response>> = {
  Error: {
    description: 'The request was refused or failed.',
    headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } as const },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
  },
  NotModified: {
    description: 'The client already has the current answer.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } as const },
  },
};
