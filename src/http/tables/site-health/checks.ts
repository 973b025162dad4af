import type { Model } from '#projections/reading/model.ts';
import { escapeAttribute } from '#text/references.ts';
import type { Call } from '../../engine/types.ts';
import { answerPage } from '../../pages/pages.ts';

export interface Finding {
  readonly status: 'good' | 'recommended' | 'critical';
  readonly label: string;
  readonly description: string;
}

export interface HealthCheck {
  readonly name: string;
  readonly topic: 'Security' | 'Performance';
  readonly run: (call: Call<Model>) => Finding;
}

/** Milliseconds within which a page should be made. */
const QUICK = 600;
const noAttempt = () => ({ wait: 0, failed: () => undefined });

/** Checks of this server. Some problems that other systems check for cannot occur here; those checks say why. */
export const healthChecks: readonly HealthCheck[] = [
  {
    name: 'background-updates',
    topic: 'Security',
    run: () => ({
      status: 'good',
      label: 'Updates are installed by the operator',
      description:
        'This server never replaces its own program. A new version is installed from outside, and reads the log as it is.',
    }),
  },
  {
    name: 'loopback-requests',
    topic: 'Performance',
    run: () => ({
      status: 'good',
      label: 'The site needs no requests to itself',
      description:
        'Scheduled posts are published by a timer within the server, also those that came due while it was down.',
    }),
  },
  {
    name: 'https-status',
    topic: 'Security',
    run: ({ model }) =>
      new URL(model.site().url).protocol === 'https:'
        ? {
            status: 'good',
            label: 'The address of the site uses HTTPS',
            description: 'Visitors and clients reach the site by an encrypted connection.',
          }
        : {
            status: 'recommended',
            label: 'The address of the site does not use HTTPS',
            description:
              'Passwords and drafts travel unencrypted. Put a proxy with a certificate before the server, and set SITE_URL.',
          },
  },
  {
    name: 'dotorg-communication',
    topic: 'Security',
    run: () => ({
      status: 'good',
      label: 'The site depends on no other service',
      description:
        'Nothing is fetched from a central server. Addresses of others are only asked for what editors want to know of them.',
    }),
  },
  {
    name: 'authorization-header',
    topic: 'Security',
    run: ({ request }) =>
      request.header('authorization') === undefined
        ? {
            status: 'recommended',
            label: 'The authorization header is missing',
            description:
              'This request came without it. If there is a proxy before the server, it has to pass the header on.',
          }
        : {
            status: 'good',
            label: 'The authorization header is working as expected',
            description: 'Application passwords reach the server.',
          },
  },
  {
    name: 'page-cache',
    topic: 'Performance',
    run: ({ model }) => {
      const began = performance.now();
      answerPage({ url: '/', password: null, attempt: noAttempt }, model);
      const took = Math.round(performance.now() - began);
      return {
        status: took < QUICK ? 'good' : 'recommended',
        label: took < QUICK ? 'Pages are made quickly' : 'Pages are made slowly',
        description: `The first page was made in ${took} ms (recommended: less than ${QUICK} ms). Browsers and proxies keep pages by their entity tags.`,
      };
    },
  },
];

export function findingJson(
  { name, topic }: HealthCheck,
  { status, label, description }: Finding,
): Record<string, unknown> {
  return {
    label,
    status,
    badge: { label: topic, color: 'blue' },
    description: `<p>${escapeAttribute(description)}</p>`,
    actions: '',
    test: name.replaceAll('-', '_'),
  };
}
