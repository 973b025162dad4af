import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import type { Model } from '#projections/model.ts';
import { type AsOf, pageAsOf } from '../as-of.ts';
import type { Authenticator } from '../auth.ts';
import { entityTag, namesTag } from '../engine/etag.ts';
import { headerIn } from '../engine/input.ts';
import { refusalFor, statusOf } from '../engine/problem.ts';
import type { Guesses } from '../guesses.ts';
import { type Intake, readSmallForm } from '../intake.ts';
import type { RequestMeter } from '../meter.ts';
import type { Exchange } from '../serve.ts';
import { passageFor, type Visit } from './gate.ts';
import { answerPage, faultPage, type PageRequest } from './pages.ts';
import type { PageReply } from './reply.ts';

export interface PageServerOptions {
  readonly model: () => Model;
  readonly asOf: AsOf | undefined;
  /** Administrators see the pages also while somebody works on the site. */
  readonly authenticator: Authenticator;
  readonly guesses: Guesses;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly intake: Intake;
  readonly logger: FastifyBaseLogger | undefined;
  readonly meter: RequestMeter | undefined;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

/** Answers requests outside of the interface; false for those that are none of its business. */
export type PageServer = (exchange: Exchange) => boolean;

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
/** Where files are, not pages. */
const FILES = '/uploads/';

export function createPageServer(options: PageServerOptions): PageServer {
  const { model, asOf, authenticator, guesses, addressOf, intake, logger, meter, onFault } = options;
  const write = (exchange: Exchange, reply: PageReply) =>
    send(exchange, asOf === undefined ? reply : { ...reply, body: pageAsOf(reply.body, asOf) });
  const whoIs = (request: IncomingMessage) =>
    authenticator.identify(request.headers.authorization, () => addressOf(request)).viewer;
  const serve = async (exchange: Exchange) => {
    const started = performance.now();
    const { url = '', method } = exchange.request;
    const password = method === 'POST' ? await passwordIn(exchange.request, intake) : null;
    const passage = passageFor(visitOf(exchange.request, whoIs), model());
    const status = write(
      exchange,
      'reply' in passage
        ? passage.reply
        : replyWith(passage.headers, {
            url,
            password,
            attempt: (post) => guesses.post(addressOf(exchange.request), post),
          }),
    );
    const ms = performance.now() - started;
    meter?.request('page', method ?? '', status, ms);
    logger?.info({ reqId: exchange.id, actor: 0, route: 'page', status, ms, position: null }, 'request');
  };
  const replyWith = (headers: PageReply['headers'], request: PageRequest): PageReply => {
    const reply = answerPage(request, model());
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  const fail = (exchange: Exchange, error: unknown) => {
    try {
      onFault(error, exchange.id);
      write(exchange, faultPage(statusOf(refusalFor(error), anonymous), model()));
    } catch {
      // Nothing more can be said; the client at least sees the connection end.
      exchange.response.destroy();
    }
  };
  return (exchange) => {
    const { method = '', url = '' } = exchange.request;
    if (!METHODS.includes(method) || !url.startsWith('/') || url.startsWith(FILES)) return false;
    detach(
      () => serve(exchange),
      (error) => fail(exchange, error),
    );
    return true;
  };
}

function visitOf(request: IncomingMessage, whoIs: (request: IncomingMessage) => Viewer): Visit {
  const { url = '', headers } = request;
  const spoken = headerIn(headers, 'x-forwarded-proto')?.split(',')[0];
  return {
    url,
    host: headers.host ?? '',
    secure: spoken?.trim().toLowerCase() === 'https',
    cookie: headers.cookie ?? '',
    viewer: whoIs(request),
  };
}

/** The password in a form; '' when there is none in what was sent. */
async function passwordIn(request: IncomingMessage, intake: Intake): Promise<string> {
  const { password } = await readSmallForm(request, intake);
  return typeof password === 'string' ? password : '';
}

/** Sends a reply, or word that it has not changed; answers the status. */
function send({ request, response }: Exchange, { status, headers, body }: PageReply): number {
  const bytes = Buffer.from(body, 'utf8');
  const tag = status === 200 && request.method !== 'POST' ? entityTag(bytes, undefined) : null;
  const known = request.headers['if-none-match'];
  if (tag !== null && known !== undefined && namesTag(known, tag)) {
    response.writeHead(304, { ...headers, ETag: tag }).end();
    return 304;
  }
  response.writeHead(status, { ...headers, ...(tag === null ? {} : { ETag: tag }), 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return status;
}
