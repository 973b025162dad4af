import { hash } from 'node:crypto';
import type { ChainLink } from './chain.ts';

/**
 * The entry of an event in the transparency log: the SHA-256 (32 bytes) of the JSON text of a fixed array, which covers all that the log
 * says of the event. Sealed text is included by its digest, so that an erasure changes no entry. The entry itself shows nothing of the
 * event: the array has the id of its commit, which is random.
 */
export function leafOf(event: ChainLink): Uint8Array {
  return hash('sha256', leafText(event), 'buffer');
}

/** The text under the hash of `leafOf`: `docs/transparency.md` describes it for those who check proofs. */
export function leafText(e: ChainLink): string {
  const { id, i, n } = e.commit;
  const about = [e.position, e.stream, e.revision, e.type, e.v, e.id, id, i, n];
  const context = [e.at, e.actor, e.correlationId, e.causationId];
  return JSON.stringify(['palimpsest event 1', ...about, ...context, e.data, e.sealedDigest]);
}
