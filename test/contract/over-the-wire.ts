import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { OpenStore } from '../support/store-fixture.ts';
import { eventStoreContract } from './eventstore.contract.ts';
import { reopenContract } from './reopen.contract.ts';

/** Just below what servers up to 25.0 can be told to take at once. */
const APPEND_BYTES = 16 * 1024 * 1024 - 1024;

/** The contract of event logs over the wire; every log is a stream of its own on one server. */
export function contractOverTheWire(name: string, url: () => string): void {
  const open: OpenStore = async () => {
    const directory = mkdtempSync(join(tmpdir(), 'palimpsest-copy-'));
    const options = {
      url: url(),
      path: join(directory, 'log.db'),
      stream: `palimpsest-${randomUUID()}`,
      appendBytes: APPEND_BYTES,
      chance: Math.random,
    };
    let store = await openEventStoreDb(options);
    return {
      store,
      async reopen() {
        store.close();
        store = await openEventStoreDb(options);
        return store;
      },
      close() {
        store.close();
        rmSync(directory, { recursive: true });
      },
    };
  };
  eventStoreContract(name, open);
  reopenContract(name, open);
}
