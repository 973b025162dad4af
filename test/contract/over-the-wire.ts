import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { OpenStore } from '../support/store-fixture.ts';
import { quick } from '../support/wire-store.ts';
import { eventStoreContract } from './eventstore.contract.ts';
import { reopenContract } from './reopen.contract.ts';

/** The largest append limit that servers up to 25.0 accept: they refuse to start with a higher one. */
export const LARGEST_APPEND = 16_767_216;

/** The contract of event logs over the network; each log is a separate stream on one server. */
export function contractOverTheWire(name: string, url: () => string): void {
  const open: OpenStore = async () => {
    const directory = mkdtempSync(join(tmpdir(), 'palimpsest-copy-'));
    const options = {
      url: url(),
      path: join(directory, 'log.db'),
      stream: `palimpsest-${randomUUID()}`,
      appendBytes: LARGEST_APPEND - 1024,
      chance: Math.random,
      timings: quick,
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
