import { describe } from 'vitest';
import type { OpenStore } from '../support/store-fixture.ts';
import { appendContract } from './append.contract.ts';
import { appendRefusalContract } from './append-refusal.contract.ts';
import { copyContract } from './copy.contract.ts';
import { eraseContract } from './erase.contract.ts';
import { hashContract } from './hash.contract.ts';
import { modelContract } from './model.contract.ts';
import { readContract } from './read.contract.ts';
import { subscribeContract } from './subscribe.contract.ts';

/** What every engine of the event log promises. `open` returns an empty one each time. */
export function eventStoreContract(name: string, open: OpenStore): void {
  describe(`event log: ${name}`, () => {
    appendContract(open);
    appendRefusalContract(open);
    copyContract(open);
    eraseContract(open);
    hashContract(open);
    readContract(open);
    subscribeContract(open);
    modelContract(open);
  });
}
