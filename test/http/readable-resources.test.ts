import { sharedSite } from './all-resources.ts';
import { readables } from './readables.ts';
import { readingContract } from './reading.contract.ts';

const shared = sharedSite();

for (const readable of readables) readingContract(readable, shared);
