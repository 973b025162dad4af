import type { FastifyInstance } from 'fastify';
import { parseTilePath, type TilePlace } from '#tlog/tiles.ts';
import { type RouteAnswer, route, takeOver } from './exchange.ts';
import type { Intake, IntakeFault } from './intake.ts';
import type { Server } from './serve.ts';

/** What everybody may ask of a log: it shows nothing of the events. */
export interface PublicLog {
  /** The latest signed checkpoint; null before the first. */
  checkpoint(): string | null;
  /** The public key, and that of cosignatures; null until there is one. */
  verifier(): string | null;
  witness(): string | null;
  /** JSON: the public keys, and the notes in which earlier keys name their successors; null until there is a key. */
  keys(): string | null;
  /** Answers another log that asks for a cosignature (C2SP tlog-witness). */
  cosign(submission: string): { readonly status: number; readonly type: string; readonly text: string };
  /** A tile of hashes or a bundle of entries; null unless all of it exists. */
  tile(place: TilePlace): Uint8Array | null;
}

interface PublicLogOptions {
  readonly log: PublicLog;
  /** Path below which it is served, without a slash at its end. */
  readonly path: string;
  readonly notFound: RouteAnswer;
  readonly server: Pick<Server, 'fail'>;
  readonly intake: Pick<Intake, 'read'>;
}

interface Resource {
  readonly type: string;
  readonly caching: string;
  readonly body: string | Uint8Array;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
/** In bytes: a checkpoint with some signatures, and a proof. */
const LONGEST_SUBMISSION = 65_536;
/** Tiles never change; a partial one is another address than the full one. */
const FOREVER = 'public, max-age=31536000, immutable';
const BRIEFLY = 'public, max-age=5';

/** Serves the transparency log to everybody (C2SP tlog-tiles). */
export function addPublicLog(app: FastifyInstance, options: PublicLogOptions): void {
  const { log, path, notFound, server } = options;
  const answer: RouteAnswer = (request, reply) => {
    const started = performance.now();
    const [target = ''] = (request.raw.url ?? '').split('?');
    let found: Resource | null;
    try {
      found = resourceAt(target.slice(path.length + 1), log);
    } catch (error) {
      server.fail(takeOver(request, reply), error);
      return reply;
    }
    if (found === null) return notFound(request, reply);
    request.answered = { route: 'tlog', actor: 0, position: null, ms: performance.now() - started };
    reply.headers({
      'Cache-Control': found.caching,
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    return reply.code(200).type(found.type).send(found.body);
  };
  app.route(route(['GET', 'HEAD'], `${path}/*`, answer));
  app.route(route('POST', `${path}/add-checkpoint`, cosigning(options)));
}

/** Answers other logs that ask for a cosignature (C2SP tlog-witness). */
function cosigning({ log, server, intake }: PublicLogOptions): RouteAnswer {
  return async (request, reply) => {
    const started = performance.now();
    const exchange = takeOver(request, reply);
    try {
      const taken = await intake.read(request.raw, { limit: LONGEST_SUBMISSION, nobody: true });
      const { status, type, text: said } = 'fault' in taken ? unread(taken.fault) : log.cosign(String(taken.body));
      if ('release' in taken) taken.release();
      exchange.note({ route: 'tlog', actor: 0, position: null, ms: performance.now() - started });
      exchange.response
        .writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(said) })
        .end(said);
    } catch (error) {
      server.fail(exchange, error);
    }
    return reply;
  };
}

function unread(fault: IntakeFault): ReturnType<PublicLog['cosign']> {
  const status = fault === 'too large' ? 413 : fault === 'no room' ? 503 : 408;
  return { status, type: TEXT, text: `${fault}\n` };
}

function resourceAt(name: string, log: PublicLog): Resource | null {
  if (name === 'checkpoint') return text(log.checkpoint());
  if (name === 'log.vkey') return text(log.verifier());
  if (name === 'witness.vkey') return text(log.witness());
  if (name === 'keys') return text(log.keys(), JSON_TYPE);
  const place = name.startsWith('tile/') ? parseTilePath(name.slice('tile/'.length)) : null;
  const bytes = place && log.tile(place);
  return bytes && { type: 'application/octet-stream', caching: FOREVER, body: bytes };
}

function text(found: string | null, type = TEXT): Resource | null {
  return found === null ? null : { type, caching: BRIEFLY, body: found };
}
