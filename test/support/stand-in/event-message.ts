import type { StoredRecord } from './storage.ts';

/** Ticks per millisecond. */
const TICKS = 10_000;

/** A `ReadResp` with an event, in protobuf. Ten times as fast as the generated classes. */
export function eventMessage(
  { created, id, revision, type, contentType, data, metadata }: StoredRecord,
  stream: string,
): Buffer {
  const at = varint(revision);
  const place = revision === 0 ? [] : [tag(3), at, tag(4), at, tag(5), at];
  const event = field(1, [
    ...field(1, field(2, [Buffer.from(id)])),
    ...field(2, field(3, [Buffer.from(stream)])),
    ...place,
    ...pair('type', type),
    ...pair('content-type', contentType),
    ...pair('created', String(created * TICKS)),
    ...(metadata.length === 0 ? [] : field(7, [metadata])),
    ...(data.length === 0 ? [] : field(8, [data])),
  ]);
  return Buffer.concat(field(1, [...event, tag(3), at]));
}

type Bytes = readonly Uint8Array[];

function pair(name: string, value: string): Bytes {
  return field(6, [...field(1, [Buffer.from(name)]), ...field(2, [Buffer.from(value)])]);
}

/** A field with a length. */
function field(number: number, parts: Bytes): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Buffer.of((number << 3) | 2), varint(length), ...parts];
}

/** Begins a field with a number. */
function tag(number: number): Buffer {
  return Buffer.of(number << 3);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
}
