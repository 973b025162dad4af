import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';
import { listen } from '#process/guard.ts';
import type { Incoming } from '../engine/host.ts';
import { closing } from '../engine/input.ts';
import type { AnsweredReply } from '../engine/respond.ts';
import type { Waits } from '../engine/waits.ts';
import type { AnswerSource } from './tracing.ts';

export interface Answered {
  /** Pattern of the route, or `page`, `file`, `audit`. */
  readonly route: string | null;
  /** Id of the user; 0: anonymous, or of no importance. */
  readonly actor: number;
  readonly position: number | null;
  /** It was an auditor, of whom is noted what they read. */
  readonly isAuditor?: boolean;
  readonly address?: string | undefined;
  /** Length of the body; absent: see `Content-Length`, or unknown. */
  readonly bytes?: number | undefined;
  readonly source?: AnswerSource | undefined;
  /** Milliseconds until the response was ready to be sent. */
  readonly ms: number;
  readonly waited?: Waits['all'];
  readonly isTruncated?: boolean | undefined;
  /** It has been handed over: whoever answers it notes it. */
  readonly isElsewhere?: true;
}

/** Lets another thread answer a request of which nothing has been answered yet. */
export type HandOver = (request: IncomingMessage, response: ServerResponse) => void;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly note: (answered: Answered) => void;
  /** Answers in place of the engine once it is known who asks, and reads the body itself. */
  readonly answer?: ((incoming: Incoming) => Promise<AnsweredReply>) | undefined;
}

const leftToAnother: Answered = { route: null, actor: 0, position: null, ms: 0, isElsewhere: true };

export type RouteAnswer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

export interface AbortSignals {
  /** Aborted when the client disconnects, the response is complete or, with the reason `closing`, the server closes. */
  readonly of: (response: ServerResponse) => AbortSignal;
  readonly isClosing: () => boolean;
  /** Called when the server closes: ends everything that could take long. */
  readonly close: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request has been answered. */
    answered: Answered | null;
  }

  interface FastifyContextConfig {
    /** A reader answers its plain reads. */
    readonly isReadable?: true;
  }
}

export function methodsOf(app: FastifyInstance): HTTPMethods[] {
  return app.supportedMethods as HTTPMethods[];
}

/**
 * A route that responds before the framework handles the body: the framework would refuse types that this server accepts, and
 * handlers read bodies themselves as they arrive.
 */
export function route(method: HTTPMethods | HTTPMethods[], url: string, answer: RouteAnswer): RouteOptions {
  return {
    method,
    url,
    exposeHeadRoute: false,
    // Within the turn in which the request arrived: a promise for each would cost a tenth of a cached answer.
    onRequest: (request, reply) => {
      const answered = answer(request, reply);
      return answered instanceof Promise ? answered : undefined;
    },
    handler: () => {
      throw new Error(`${url} is answered before`);
    },
  };
}

/** A route whose plain reads are answered by readers as well. */
export function readable(options: RouteOptions, config: RouteOptions['config'] = {}): RouteOptions {
  return { ...options, config: { ...config, isReadable: true } };
}

/** Takes a request over from the framework: the response bypasses the framework's own reply. */
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

export function leave(request: FastifyRequest, reply: FastifyReply, handOver: HandOver): FastifyReply {
  leaveExchange(takeOver(request, reply), handOver);
  return reply;
}

export function leaveExchange({ request, response, note }: Exchange, handOver: HandOver): void {
  note(leftToAnother);
  handOver(request, response);
}

export function createAbortSignals(): AbortSignals {
  const open = new Map<ServerResponse, AbortController>();
  let isClosing = false;
  return {
    of(response) {
      const known = open.get(response);
      if (known !== undefined) return known.signal;
      const controller = new AbortController();
      if (isClosing || response.closed) {
        controller.abort(response.closed ? undefined : closing);
        return controller.signal;
      }
      open.set(response, controller);
      const leave = () => {
        open.delete(response);
        controller.abort();
      };
      listen(response, 'close', leave, () => undefined);
      return controller.signal;
    },
    isClosing: () => isClosing,
    close() {
      isClosing = true;
      for (const controller of open.values()) controller.abort(closing);
    },
  };
}
