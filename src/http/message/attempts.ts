import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { problemHeaders, statusOf } from './problem.ts';

export const wrongPassword = refuse('rest_not_logged_in', 'Login and password do not fit.');
export const tooManyLogins = refuse(
  'rest_too_many_logins',
  'The server is busy: too many logins are waiting. Please try again later.',
);

/** Refuses further passwords for `wait` seconds. */
export function tooManyAttempts(wait: number): Refusal {
  return refuse('rest_too_many_attempts', `Too many wrong passwords. Please try again in ${wait} seconds.`, {
    retry_after: wait,
  });
}

/** How a login form is shown again. */
export function turnedAway(refusal: Refusal) {
  const failed = refusal === tooManyLogins ? {} : { 'X-CMS-Auth': 'failed' };
  return {
    status: statusOf(refusal, anonymous),
    complaint: refusal.message,
    headers: { ...failed, ...problemHeaders(refusal) },
  };
}
