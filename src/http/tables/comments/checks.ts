import { isIP } from 'node:net';
import { isEmail } from '#domain/user/naming.ts';
import { fault, wrongType } from '../../engine/faults.ts';
import type { Fault } from '../../engine/types.ts';

const shortestEmail = 6;

export function checkAuthorEmail(value: unknown): Fault | null {
  const isFine = typeof value === 'string' && value.length >= shortestEmail && isEmail(value);
  return isFine ? null : fault('rest_invalid_email', 'Invalid email address.');
}

/** The same for an optional address. */
export function checkOwnEmail(value: unknown): Fault | null {
  return value === '' ? null : checkAuthorEmail(value);
}

export function checkIp(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType('author_ip', 'string');
  return isIP(value) === 0 ? fault('rest_invalid_ip', 'author_ip is not a valid IP address.') : null;
}
