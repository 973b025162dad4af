import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PresentModel } from '#projections/reading/model.ts';
import { addresses } from '#projections/site/addresses.ts';
import { addressKey } from './addresses.ts';
import type { Session } from './session.ts';

/** Returns the signature of an address of an image: whoever has it may fetch that. `address`: path and query. */
export function signImage(session: Session, address: string): string {
  return signatureWith(addressKey(session), address);
}

/** Whether an address of an image has a signature of this site. */
export function isSignedImage(model: Pick<PresentModel, 'of'>, address: string, signature: string): boolean {
  const key = model.of(addresses).get() ?? '';
  if (key === '') return false;
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureWith(key, address))];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** With a key of its own, so that it says nothing about digests of mail addresses. */
function signatureWith(key: string, address: string): string {
  const own = createHmac('sha256', key).update('addresses of images').digest();
  return createHmac('sha256', own).update(address).digest('base64url').slice(0, 22);
}
