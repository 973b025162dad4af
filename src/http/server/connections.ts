import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { after, listenAlike } from '#process/guard.ts';
import { problemText, statusOf } from '../engine/problem.ts';

export interface Connections {
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => void;
  /** Resolves after a turn of the event loop without a new request: everything that had arrived is then known. */
  readonly quiet: () => Promise<void>;
  readonly end: () => void;
}

/** Milliseconds that clients have to read the last response. */
const moment = 500;
const STOPPING = refuse('rest_server_stopping', 'The server stops before the request has arrived whole.');
const UNKNOWN = refuse(
  'rest_outcome_unknown',
  'The server stops before it is known whether the change was stored. Please look, or send it again with its Idempotency-Key.',
);

export function createConnections(): Connections {
  const open = new Map<ServerResponse, IncomingMessage>();
  const untilClosed = listenAlike<ServerResponse>(
    'close',
    (response) => void open.delete(response),
    () => undefined,
  );
  let closing = false;
  let seen = 0;
  return {
    note(request, response) {
      seen += 1;
      open.set(response, request);
      untilClosed(response);
      if (closing) response.shouldKeepAlive = false;
    },
    close() {
      closing = true;
      for (const response of open.keys()) if (!response.headersSent) response.shouldKeepAlive = false;
    },
    async quiet() {
      for (let before = -1; before !== seen; ) {
        before = seen;
        // Connections are accepted in one turn and read in the next.
        for (let i = 0; i < 3; i++) await turn();
      }
    },
    end() {
      for (const [response, request] of open) if (!response.headersSent) tell(response, request);
      const cutOff = () => {
        for (const request of open.values()) request.socket.destroy();
      };
      after(moment, cutOff, () => undefined);
    },
  };
}

function tell(response: ServerResponse, request: IncomingMessage): void {
  const refusal: Refusal = request.complete ? UNKNOWN : STOPPING;
  const status = statusOf(refusal, anonymous);
  const body = problemText(refusal, status);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': '1',
    Connection: 'close',
  });
  response.end(body);
  request.resume();
}
