import { createHmac } from 'node:crypto';
import { addressKeyStream } from '#domain/address/events.ts';
import type { PresentModel } from '#projections/reading/model.ts';
import { addresses } from '#projections/site/addresses.ts';
import { makeSecret } from './secret.ts';
import type { Session } from './session.ts';

/** Returns the keyed digest that represents a mail address in the log: it can be looked up but not guessed. '' for an empty address. */
export function addressDigest(session: Session, email: string): string {
  const folded = email.trim().toLowerCase();
  if (folded === '') return '';
  return digestWith(addressKey(session), folded);
}

/** The key of the site, with which other keys are made; the first who needs it makes it. */
export function addressKey(session: Session): string {
  if (session.of(addresses).get() === undefined) {
    session.stage(addressKeyStream, [{ type: 'AddressKeyMade', data: { key: makeSecret() } }]);
  }
  return session.of(addresses).get() ?? '';
}

/** Like `addressDigest`, but never creates the key. Returns null when there is no key, so nothing is stored under any address. */
export function knownDigest(model: PresentModel, email: string): string | null {
  const key = model.of(addresses).get();
  return key === undefined ? null : digestWith(key, email.trim().toLowerCase());
}

function digestWith(key: string, folded: string): string {
  return createHmac('sha256', key).update(folded).digest('hex');
}
