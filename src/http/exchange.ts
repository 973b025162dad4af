import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import type { Waits } from './engine/waits.ts';
import type { Source } from './meter.ts';

export interface Answered {
  /** Pattern of the route, or `page`, `file`, `audit`. */
  readonly route: string | null;
  /** Id of the user; 0: anonymous. */
  readonly actor: number;
  readonly position: number | null;
  readonly address?: string | undefined;
  /** Of the body; absent: the head says it, or nobody knows. */
  readonly bytes?: number | undefined;
  readonly source?: Source | undefined;
  /** Milliseconds until the answer was handed over. */
  readonly ms: number;
  readonly waited?: Waits['all'];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request has been answered. */
    answered: Answered | null;
  }
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly note: (answered: Answered) => void;
}

export type Answer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

export function methodsOf(app: FastifyInstance): HTTPMethods[] {
  return app.supportedMethods as HTTPMethods[];
}

/**
 * A route that is answered before the framework looks at the body: that refuses types that this server takes, and bodies are
 * read as they arrive by those who want them.
 */
export function route(method: HTTPMethods | HTTPMethods[], url: string, answer: Answer): RouteOptions {
  return {
    method,
    url,
    exposeHeadRoute: false,
    // In the turn in which the request arrived: a promise for each would cost a tenth of a kept answer.
    onRequest: (request, reply) => {
      const answered = answer(request, reply);
      return answered instanceof Promise ? answered : undefined;
    },
    handler: () => {
      throw new Error(`${url} is answered before`);
    },
  };
}

/** Takes a request out of the framework's hands: it is answered past the framework's own reply. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): Exchange {
  reply.hijack();
  return {
    request: request.raw,
    response: reply.raw,
    id: request.id,
    note: (answered) => {
      request.answered = answered;
    },
  };
}
