import type { ChainedEvent } from '../chain.ts';
import { damagedLog } from '../faults.ts';
import type { NewEvent } from '../port.ts';
import type { PhysicalEvent, PlacedEvent } from './client.ts';
import { compress } from './compression.ts';
import type { FreshKey, Keys } from './keys.ts';
import type { Appender } from './order.ts';
import { decrypt, encrypt, SEAL_BYTES } from './seal.ts';

/** Metadata of an event in the ledger. Names with `$` are known to the server's own tools. */
interface Metadata {
  readonly stream: string;
  readonly revision: number;
  readonly v: number;
  readonly commit: string;
  readonly i: number;
  readonly n: number;
  readonly at: string;
  readonly actor: number | null;
  readonly $correlationId: string;
  readonly $causationId: string | null;
  readonly digest: string | null;
  /**
   * Bytes of the encrypted sealed text and salt after the JSON in the data. Earlier versions of this program stored them here, as base64.
   */
  readonly sealed: number | string | null;
  readonly key: string | null;
  readonly hash: string | null;
  readonly by?: Appender;
}

/** Upper bound for the bytes of metadata, except texts from outside. */
const METADATA_BYTES = 800;

/** Upper bound for the size of an event in the ledger, in bytes. */
export function sizeInLedger({ stream, type, data, sealed }: NewEvent): number {
  const seal = sealed === null ? 0 : SEAL_BYTES + compress(sealed).bytes.length;
  return METADATA_BYTES + Buffer.byteLength(stream) + Buffer.byteLength(type) + Buffer.byteLength(data) + seal;
}

/** Bytes of an append as the server counts them. */
export function sizeOf(events: readonly PhysicalEvent[]): number {
  return events.reduce((sum, { type, data, metadata }) => sum + type.length + data.length + metadata.length, 0);
}

/** Converts an event for the ledger. `fresh` returns an unused key; called once if the event has a sealed text. */
export function toPhysical(event: ChainedEvent, fresh: () => FreshKey, by?: Appender): PhysicalEvent {
  const { id, type, stream, revision, v, commit, at, actor, sealed, salt, hash } = event;
  const key = sealed === null || salt === null ? null : fresh();
  const seal = key === null || sealed === null || salt === null ? null : encrypt({ salt, text: sealed }, key.key, id);
  const metadata: Metadata = {
    stream,
    revision,
    v,
    commit: commit.id,
    i: commit.i,
    n: commit.n,
    at,
    actor,
    $correlationId: event.correlationId,
    $causationId: event.causationId,
    digest: event.sealedDigest,
    sealed: seal?.length ?? null,
    key: key?.id ?? null,
    hash,
    ...(by === undefined ? {} : { by }),
  };
  const data = seal === null ? bytesOf(event.data) : new Uint8Array(Buffer.concat([Buffer.from(event.data), seal]));
  return { id, type, data, metadata: bytesOf(JSON.stringify(metadata)) };
}

/** Converts an event of the ledger to one of the log. Throws `LogDamaged` when it is not an event of this program. */
export async function fromPlaced(placed: PlacedEvent, keys: Pick<Keys, 'find'>): Promise<ChainedEvent> {
  const position = placed.revision + 1;
  const metadata = placed.metadata;
  if (!isMetadata(metadata)) throw damagedLog('The event store has an event that is not of this program', position);
  const { stream, revision, v, commit, i, n, at, actor, digest, hash } = metadata;
  const sealed = await unseal(metadata, placed, keys);
  return {
    position,
    stream,
    revision,
    type: placed.type,
    v,
    id: placed.id,
    commit: { id: commit, i, n },
    at,
    actor,
    correlationId: metadata.$correlationId,
    causationId: metadata.$causationId,
    data: partsOf(placed, metadata.sealed).json.toString('utf8'),
    sealed: sealed?.text ?? null,
    salt: sealed?.salt ?? null,
    sealedDigest: digest,
    hash,
  };
}

/** Id of the key of an event's sealed text; null without one. */
export function keyOf(placed: PlacedEvent): string | null {
  return isMetadata(placed.metadata) ? placed.metadata.key : null;
}

/** Node that made the append, on the last event of an append; else null. */
export function appenderOf({ metadata }: PlacedEvent): Appender | null {
  const { node, more } = (metadata as { readonly by?: Partial<Appender> } | null)?.by ?? {};
  return typeof node === 'string' && typeof more === 'boolean' ? { node, more } : null;
}

/** Chain hash of the commit, on its last event; else null. */
export function hashOf(placed: PlacedEvent): string | null {
  return isMetadata(placed.metadata) ? placed.metadata.hash : null;
}

async function unseal({ sealed, key: keyId }: Metadata, placed: PlacedEvent, keys: Pick<Keys, 'find'>) {
  if (sealed === null || keyId === null) return null;
  const key = await keys.find(keyId);
  if (key === null) return null;
  try {
    return decrypt(partsOf(placed, sealed).seal, key, placed.id);
  } catch (error) {
    throw damagedLog('The sealed text does not fit its key', placed.revision + 1, error);
  }
}

function partsOf({ data }: PlacedEvent, sealed: Metadata['sealed']): { readonly json: Buffer; readonly seal: Buffer } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (typeof sealed !== 'number') return { json: bytes, seal: Buffer.from(sealed ?? '', 'base64') };
  const end = bytes.length - sealed;
  return { json: bytes.subarray(0, end), seal: bytes.subarray(end) };
}

const TEXTS = ['stream', 'commit', 'at', '$correlationId'] as const;
const NUMBERS = ['revision', 'v', 'i', 'n'] as const;
const MAYBE_TEXTS = ['$causationId', 'digest', 'key', 'hash'] as const;

function isMetadata(value: unknown): value is Metadata {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Readonly<Record<string, unknown>>;
  return (
    TEXTS.every((name) => typeof given[name] === 'string') &&
    NUMBERS.every((name) => typeof given[name] === 'number') &&
    MAYBE_TEXTS.every((name) => given[name] === null || typeof given[name] === 'string') &&
    (given['actor'] === null || typeof given['actor'] === 'number') &&
    (given['sealed'] === null || typeof given['sealed'] === 'string' || Number.isInteger(given['sealed']))
  );
}

// Not a Buffer: the client would treat one as JSON.
function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf8'));
}
