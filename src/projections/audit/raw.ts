import type { StoredEvent } from '#eventstore/port.ts';
import { SEED } from '#text/field-seals.ts';

/** Sealed members that nobody needs to see who may read the rest. */
const secrets = /password|digest|secret|token|key$|^code$/i;

/** An event as it is stored, without secrets. */
export function rawEvent(stored: StoredEvent) {
  const { id, position, stream, revision, type, v, at, actor, data, sealed, sealedDigest, hash } = stored;
  const { commit, correlationId, causationId } = stored;
  return {
    id,
    position,
    stream,
    revision,
    type,
    version: v,
    at,
    actor,
    data: JSON.parse(data) as unknown,
    sealed: sealed === null ? null : withoutSecrets(JSON.parse(sealed)),
    sealed_digest: sealedDigest,
    commit: { id: commit.id, index: commit.i, events: commit.n },
    correlation_id: correlationId,
    causation_id: causationId,
    hash,
  };
}

function withoutSecrets({
  [SEED]: _,
  ...members
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, secrets.test(name) && value !== '' ? '(not shown)' : value]),
  );
}
