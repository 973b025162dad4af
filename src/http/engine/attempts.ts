import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** Refuses further passwords for `wait` seconds. */
export function tooManyAttempts(wait: number): Refusal {
  return refuse('rest_too_many_attempts', 'Too many wrong passwords. Please try again later.', { retry_after: wait });
}
