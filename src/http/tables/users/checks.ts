import { isEmail, isLogin } from '#domain/user/naming.ts';
import { isScalar } from '#text/shapes.ts';
import { fault, wrongType } from '../../engine/faults.ts';
import type { Fault } from '../../engine/types.ts';

const inBody = { status: 400 };

export function checkUsername(value: unknown): Fault | null {
  return isScalar(value) && isLogin(String(value))
    ? null
    : fault('rest_user_invalid_username', 'This username is invalid. Please enter a valid username.', inBody);
}

export function checkPassword(value: unknown): Fault | null {
  const text = isScalar(value) ? String(value) : '';
  return text === '' || text === '0' || value === false || text.includes('\\')
    ? fault('rest_user_invalid_password', 'Passwords cannot be empty or contain the "\\" character.', inBody)
    : null;
}

export function checkEmail(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType('email', 'string');
  return isEmail(value) ? null : fault('rest_invalid_email', 'Invalid email address.');
}

/** Who inherits the posts of a deleted user: a number, or nobody. */
export function checkReassign(value: unknown): Fault | null {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));
  const isNobody = value === '' || value === false || value === 'false';
  return isNumber || isNobody ? null : fault('rest_invalid_param', 'Invalid user parameter(s).', inBody);
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
