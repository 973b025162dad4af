import { Metadata, status } from '@grpc/grpc-js';
import type { Faults } from './faults.ts';

/** The error that ends a call before it is examined; null if it is carried out. */
export function refusalOf(faults: Faults, asked: Metadata) {
  if (faults.refuses === 'user') return { code: status.UNAUTHENTICATED, details: 'Unauthenticated' };
  if (faults.refuses === 'rights')
    return { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata: named('access-denied') };
  if (faults.role === 'leader' || asked.get('requires-leader').length === 0) return null;
  return faults.role === 'follower'
    ? notLeader(faults.leader)
    : { code: status.UNKNOWN, details: 'No leader info available in response' };
}

export function notLeader({ host, port }: Faults['leader']) {
  const metadata = named('not-leader');
  metadata.set('leader-endpoint-host', host);
  metadata.set('leader-endpoint-port', String(port));
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
}

function named(exception: string): Metadata {
  const metadata = new Metadata();
  metadata.set('exception', exception);
  return metadata;
}
