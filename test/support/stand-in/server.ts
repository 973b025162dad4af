import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { type AppendAnswer, type AppendCall, handleAppend } from './append.ts';
import { Faults } from './faults.ts';
import { cutOff, handleRead, type ReadCall } from './read.ts';
import { Storage } from './storage.ts';

export interface StandInOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Also stores the streams in this file. */
  readonly file?: string;
  /** Largest append, bytes. Default: 1 MiB, as in servers up to 25.0. */
  readonly maxAppendBytes?: number;
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
  /** Cuts all connections and accepts no new ones. */
  stop(): void;
  /** Accepts connections again on the same port. */
  start(): Promise<void>;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;

/** Starts a stand-in on this machine. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const { file = null, maxAppendBytes = MEBIBYTE } = options;
  const storage = new Storage(file);
  const faults = new Faults();
  const calls: Calls = { append: 0, batchAppend: 0, read: 0 };
  const open = new Set<ReadCall>();
  const services = {
    append: (call: AppendCall, answer: AppendAnswer) => {
      calls.append += 1;
      handleAppend({ storage, faults, maxAppendBytes }, call, answer);
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
  // Events are encoded only once.
  const streamsService = { ...StreamsService, read: { ...StreamsService.read, responseSerialize: asItIs } };
  let server = new Server();
  const listen = (port: number) => {
    server = new Server({ 'grpc.max_receive_message_length': 64 * MEBIBYTE });
    server.addService(streamsService, services);
    server.addService(ServerFeaturesService, { getSupportedMethods });
    return new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
  };
  const port = await listen(options.port ?? 0);
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    storage,
    faults,
    calls,
    get readers() {
      return open.size;
    },
    killStreams: () => cutOff(open),
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

const asItIs = (message: unknown) => message as Buffer;

const getSupportedMethods = (_: unknown, answer: sendUnaryData<features.SupportedMethods>) => {
  const batch = new features.SupportedMethod()
    .setServiceName('event_store.client.streams.streams')
    .setMethodName('batchappend');
  answer(null, new features.SupportedMethods().setEventStoreServerVersion('0.0.0').setMethodsList([batch]));
};
