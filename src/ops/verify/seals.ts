import type { ChainedEvent } from '#eventstore/chain.ts';
import { type Erasable, erasableBy, orderTypes } from '#node/erasure/coverage.ts';
import { type Check, counted, findingsOf } from './check.ts';

/** Checks that sealed texts exist unless the log orders their erasure: the chain only covers their digests, so it is valid without them. */
export function checkSeals(owed: readonly Pick<Erasable, 'stream'>[] = []): {
  take(event: ChainedEvent): void;
  end(): Check;
} {
  const orders = [...owed];
  const gone: (Erasable & Pick<ChainedEvent, 'position'>)[] = [];
  let sealed = 0;
  return {
    take({ position, stream, type, v, actor, data, sealed: text, sealedDigest }) {
      if (orderTypes.includes(type)) orders.push({ stream });
      if (sealedDigest === null) return;
      sealed += 1;
      if (text === null) gone.push({ position, stream, type, v, actor, data });
    },
    end() {
      const findings = findingsOf('texts');
      const isErasable = erasableBy(orders);
      for (const event of gone) {
        if (isErased(event, isErasable)) continue;
        findings.add(`The texts of ${event.type} in ${event.stream} are gone, and nothing orders that`, event.position);
      }
      return findings.end(`${counted(sealed, 'sealed')}, ${counted(gone.length, 'erased')}`);
    },
  };
}

function isErased(event: Erasable, isErasable: (event: Erasable) => boolean): boolean {
  try {
    return isErasable(event);
  } catch {
    // Reported by another check.
    return false;
  }
}
