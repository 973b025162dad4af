import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** Says that no more passwords are taken for so many seconds. */
export function tooManyAttempts(wait: number): Refusal {
  return refuse('rest_too_many_attempts', 'Too many wrong passwords. Please try again later.', { retry_after: wait });
}
