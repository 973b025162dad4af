import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServingStore, openSqliteStore } from '#eventstore/sqlite/store.ts';
import type { OpenStore } from '../support/store-fixture.ts';
import { eventStoreContract } from './eventstore.contract.ts';
import { reopenContract } from './reopen.contract.ts';

const opening =
  (openStore: typeof openSqliteStore): OpenStore =>
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'palimpsest-log-'));
    const options = { path: join(directory, 'log.db') };
    let store = openStore(options);
    return {
      store,
      async reopen() {
        store.close();
        store = openStore(options);
        return store;
      },
      close() {
        store.close();
        rmSync(directory, { recursive: true });
      },
    };
  };

for (const [name, open] of [
  ['sqlite', opening(openSqliteStore)],
  ['sqlite, of a server', opening(openServingStore)],
] as const) {
  eventStoreContract(name, open);
  reopenContract(name, open);
}
