import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import type { OpenStore } from '../support/store-fixture.ts';
import { eventStoreContract } from './eventstore.contract.ts';
import { reopenContract } from './reopen.contract.ts';

const open: OpenStore = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-log-'));
  const options = { path: join(directory, 'log.db') };
  let store = openSqliteStore(options);
  return {
    store,
    async reopen() {
      store.close();
      store = openSqliteStore(options);
      return store;
    },
    close() {
      store.close();
      rmSync(directory, { recursive: true });
    },
  };
};

eventStoreContract('sqlite', open);
reopenContract('sqlite', open);
