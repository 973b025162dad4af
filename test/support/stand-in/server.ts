import type { Http2Server, ServerOptions } from 'node:http2';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { type AppendAnswer, type AppendCall, handleAppend } from './append.ts';
import { Faults } from './faults.ts';
import { handleGossip } from './gossip.ts';
import { cutOff, endSlow, handleRead, type ReadCall } from './read.ts';
import { Storage } from './storage.ts';

export interface StandInOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Also stores the streams in this file. */
  readonly file?: string;
  /** Largest append, bytes. Default: 1 MiB, as in servers up to 25.0. */
  readonly maxAppendBytes?: number;
  /** Largest event of an append, bytes. Default: any, as in servers up to 25.0. */
  readonly maxEventBytes?: number;
  /** Streams that it shares with others of its cluster. */
  readonly storage?: Storage;
  /** Takes connections with TLS only. */
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
}

/** Number of calls of each kind. */
export interface Calls {
  append: number;
  batchAppend: number;
  read: number;
}

/**
 * A stand-in for the protocol of a stream database, built on the service definitions in the client's package.
 * It shows how the client and the code above it behave; it proves nothing about a real server.
 */
export interface StandIn {
  readonly url: string;
  readonly port: number;
  readonly storage: Storage;
  readonly faults: Faults;
  readonly calls: Calls;
  /** Number of open calls of readers and subscribers. */
  readonly readers: number;
  /** Ends the calls of all readers and subscribers. */
  killStreams(): void;
  /** The same, reporting that they are too slow. */
  abortStreams(): void;
  /** Number of appends held back because of `faults.isolated`. */
  readonly keptBack: number;
  /** Ends `faults.isolated`: appends held back are stored, or lost because another leader was elected. */
  endIsolation(outcome: 'rejoined' | 'deposed'): void;
  /** Cuts all connections and accepts no new ones. */
  stop(): void;
  /** Accepts connections again on the same port. */
  start(): Promise<void>;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;

/** Starts a stand-in on this machine. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { file = null, maxAppendBytes = MEBIBYTE, storage = new Storage(file) } = options;
  const { maxEventBytes = Number.POSITIVE_INFINITY } = options;
  const faults = new Faults();
  const calls: Calls = { append: 0, batchAppend: 0, read: 0 };
  const open = new Set<ReadCall>();
  const unreplicated: (() => void)[] = [];
  const { tls } = options;
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }]);
  const services = {
    append: (call: AppendCall, answer: AppendAnswer) => {
      calls.append += 1;
      handleAppend({ storage, faults, maxAppendBytes, maxEventBytes, unreplicated }, call, answer);
    },
    read: (call: ReadCall) => {
      calls.read += 1;
      handleRead({ storage, faults, open }, call).catch((error: unknown) => call.destroy(error as Error));
    },
    // Offered, as by real servers, so that its use is noticed; it does nothing.
    batchAppend: () => {
      calls.batchAppend += 1;
    },
  };
  const streamsService = { ...StreamsService, read: { ...StreamsService.read, responseSerialize: asItIs } };
  let server = new Server();
  const listen = (port: number) => {
    server = new Server({ 'grpc.max_receive_message_length': 64 * MEBIBYTE });
    widen(server);
    server.addService(streamsService, services);
    server.addService(GossipService, { read: (_: unknown, answer: GossipAnswer) => handleGossip(faults, answer) });
    server.addService(ServerFeaturesService, { getSupportedMethods });
    return new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
  };
  const port = await listen(options.port ?? 0);
  return {
    url: tls === undefined ? `esdb://127.0.0.1:${port}?tls=false` : `esdb://user:secret@localhost:${port}`,
    port,
    storage,
    faults,
    calls,
    get readers() {
      return open.size;
    },
    get keptBack() {
      return unreplicated.length;
    },
    killStreams: () => cutOff(open),
    abortStreams: () => endSlow(open),
    endIsolation: (outcome) => {
      faults.isolated = false;
      for (const count of unreplicated.splice(0)) if (outcome === 'rejoined') count();
      if (outcome === 'deposed') cutOff(open);
    },
    stop: () => {
      server.forceShutdown();
      open.clear();
    },
    start: async () => {
      await listen(port);
    },
    close: () => server.forceShutdown(),
  };
}

/** Bytes that a client may send ahead: of all calls on a connection, and of one call. As in ASP.NET Core, on which real servers run (`Http2Limits`). */
const windows = { connection: 1024 * 1024, call: 768 * 1024 };

/** What is below a server, which has no options for windows. */
interface Inner {
  readonly commonServerOptions: ServerOptions;
  createHttp2Server(credentials: ServerCredentials): Http2Server;
}

/** An append of more than 64 kB would otherwise wait for the server to have read its beginning. */
function widen(server: Server): void {
  const inner = server as unknown as Inner;
  Object.assign(inner.commonServerOptions, { settings: { initialWindowSize: windows.call } });
  const create = inner.createHttp2Server.bind(server);
  inner.createHttp2Server = (credentials) =>
    create(credentials).on('session', (session) => session.setLocalWindowSize(windows.connection));
}

type GossipAnswer = Parameters<typeof handleGossip>[1];

const asItIs = (message: unknown) => message as Buffer;

const getSupportedMethods = (_: unknown, answer: sendUnaryData<features.SupportedMethods>) => {
  const batch = new features.SupportedMethod()
    .setServiceName('event_store.client.streams.streams')
    .setMethodName('batchappend');
  answer(null, new features.SupportedMethods().setEventStoreServerVersion('0.0.0').setMethodsList([batch]));
};
