import { refuse } from '#domain/kernel/refusal.ts';
import type { Sent } from '../../engine/types.ts';

/** User agents of crawlers and of programs that preview links. */
const CRAWLERS = /bot\b|bot[/;_-]|crawl|spider|slurp|archiver|preview|facebookexternalhit|embedly|whatsapp|lighthouse/i;

export const notMeant = refuse(
  'rest_forbidden_prefetch',
  'This changes the site, and is not done for crawlers or ahead of time.',
);

/** Whether a GET that writes is sent on purpose, not by a program that follows links or prefetches pages. */
export function isMeant({ header }: Pick<Sent, 'header'>): boolean {
  const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].map((name) => header(name) ?? '');
  return (
    !purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose)) &&
    !CRAWLERS.test(header('user-agent') ?? '')
  );
}
