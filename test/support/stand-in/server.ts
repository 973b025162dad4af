import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { type AppendAnswer, type AppendCall, handleAppend } from './append.ts';
import { Faults } from './faults.ts';
import { cutOff, handleRead, type ReadCall } from './read.ts';
import { Storage } from './storage.ts';

export interface StandInOptions {
  /** Default: any that is free. */
  readonly port?: number;
  /** Keeps the streams in a file, too. */
  readonly file?: string;
  /** Bytes that one append may take. Default: 1 MiB, as servers up to 25.0 have it. */
  readonly maxAppendBytes?: number;
}

/** How often each of its calls was made. */
export interface Calls {
  append: number;
  batchAppend: number;
  read: number;
}

/**
 * A stand-in for the protocol of a stream database, made from the service definitions that the client brings along.
 * It shows how the client and what stands on it behave; it proves nothing about any real server.
 */
export interface StandIn {
  readonly url: string;
  readonly port: number;
  readonly storage: Storage;
  readonly faults: Faults;
  readonly calls: Calls;
  /** Calls of readers and subscribers that are open. */
  readonly readers: number;
  /** Ends the calls of all readers and subscribers. */
  killStreams(): void;
  /** Cuts all connections and takes no new ones. */
  stop(): void;
  /** Takes connections again on the same port. */
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
    // Offered, as servers do, so that it shows when somebody uses it; nothing comes of it.
    batchAppend: () => {
      calls.batchAppend += 1;
    },
  };
  // Events are encoded once and for all.
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
