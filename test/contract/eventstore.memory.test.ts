import { openMemoryStore } from '../support/memory/store.ts';
import { eventStoreContract } from './eventstore.contract.ts';

eventStoreContract('memory', async () => {
  const store = openMemoryStore();
  return { store, close: () => store.close() };
});
