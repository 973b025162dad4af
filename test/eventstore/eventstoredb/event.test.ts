import { randomBytes } from 'node:crypto';
import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainedEvent } from '#eventstore/chain.ts';
import type { PlacedEvent } from '#eventstore/eventstoredb/client.ts';
import { decompress, inflate } from '#eventstore/eventstoredb/compression.ts';
import { fromPlaced, sizeInLedger, sizeOf, toPhysical } from '#eventstore/eventstoredb/event.ts';
import { AppendTooLarge } from '#eventstore/port.ts';
import { commit, event } from '../../support/commits.ts';
import { appendAtHead } from '../../support/store-fixture.ts';
import { openWireStore, standInForTest } from '../../support/wire-store.ts';

const key = new Uint8Array(randomBytes(32));
const keys = { find: () => Promise.resolve(key) };
const fresh = () => ({ id: 'bundle/0', key });

const chained = (data: string, sealed: string | null): ChainedEvent => ({
  ...{ position: 1, stream: 'entry-1', revision: 1, type: 'EntryCreated', v: 1 },
  ...{ id: '00000000-0000-4000-8000-000000000001', commit: { id: 'c', i: 0, n: 1 }, at: '2026-01-01T00:00:00.000Z' },
  ...{ actor: 1, correlationId: 'x', causationId: null, data, sealed, hash: 'h' },
  ...{ salt: sealed === null ? null : '00'.repeat(16), sealedDigest: sealed === null ? null : 'd' },
});

/** The event as the server returns it. */
function placed({ id, type, data, metadata }: ReturnType<typeof toPhysical>): PlacedEvent {
  return { revision: 0, id, type, data, metadata: JSON.parse(Buffer.from(metadata).toString()), created: null };
}

/** Words with the frequencies of prose, by rank. */
function prose(bytes: number): string {
  const words = Array.from({ length: 20_000 }, (_, i) => (i * 2654435761).toString(36).slice(0, 2 + (i % 9)));
  let text = '';
  for (let n = 1; text.length < bytes; n = (n * 48271) % 2147483647) {
    text += `${words[Math.floor(words.length ** (n / 2147483647))]} `;
  }
  return text.slice(0, bytes);
}

describe('an event in the event store', () => {
  it('comes back unchanged, and is no larger than estimated', async () => {
    const texts = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 4000, maxLength: 9000 })));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), texts, async (data, sealed) => {
        const given = chained(JSON.stringify(data), sealed?.toWellFormed() ?? null);
        const physical = toPhysical(given, fresh);
        expect(await fromPlaced(placed(physical), keys)).toEqual(given);
        expect(sizeOf([physical])).toBeLessThanOrEqual(sizeInLedger(given));
      }),
    );
  });

  it('can be read in the earlier format, with its sealed text in the metadata', async () => {
    const given = chained('{"id":1}', 'x'.repeat(10));
    const { data, metadata, ...physical } = toPhysical(given, fresh);
    const now = JSON.parse(Buffer.from(metadata).toString());
    const end = data.length - now.sealed;
    const sealed = Buffer.from(data.subarray(end)).toString('base64');
    const before = {
      ...physical,
      data: data.subarray(0, end),
      metadata: Buffer.from(JSON.stringify({ ...now, sealed })),
    };
    expect(await fromPlaced(placed(before), keys)).toEqual(given);
  });

  it('is refused if its text would decompress to more than any stored text', () => {
    const bomb = Buffer.alloc(2 ** 28 + 1);
    expect(() => decompress(zstdCompressSync(bomb))).toThrow(RangeError);
    expect(() => inflate(deflateRawSync(bomb, { level: 1 }))).toThrow(RangeError);
  });

  it('with 3 MB of prose fits into an append of 1 MiB, and reaches the other nodes', async () => {
    const standIn = await standInForTest();
    const store = await openWireStore(standIn, { appendBytes: 2 ** 20 });
    const text = prose(3_000_000);
    await appendAtHead(store, commit([event('entry-1', { sealed: text })]));
    const other = await openWireStore(standIn);
    expect([...other.read()][0]?.sealed).toBe(text);
    const noise = randomBytes(1_200_000).toString('hex');
    await expect(appendAtHead(store, commit([event('entry-2', { sealed: noise })]))).rejects.toThrow(AppendTooLarge);
  });
});
