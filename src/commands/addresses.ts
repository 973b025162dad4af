import { createHmac } from 'node:crypto';
import { addressKeyStream } from '#domain/address/events.ts';
import { addresses } from '#projections/addresses.ts';
import type { PresentModel } from '#projections/model.ts';
import { makeSecret } from './builder-salt.ts';
import type { Session } from './session.ts';

/** What stands for a mail address in the log, so that it can be found and not be guessed; '' for none. */
export function addressDigest(session: Session, email: string): string {
  const folded = email.trim().toLowerCase();
  if (folded === '') return '';
  if (session.of(addresses).key() === null) {
    session.stage(addressKeyStream, [{ type: 'AddressKeyMade', data: { key: makeSecret() } }]);
  }
  return digestWith(session.of(addresses).key() ?? '', folded);
}

/** The same without making the key that there may not be yet; null: nothing is stored under the address. */
export function knownDigest(model: PresentModel, email: string): string | null {
  const key = model.of(addresses).key();
  return key === null ? null : digestWith(key, email.trim().toLowerCase());
}

function digestWith(key: string, folded: string): string {
  return createHmac('sha256', key).update(folded).digest('hex');
}
