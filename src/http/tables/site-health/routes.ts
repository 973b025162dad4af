import { z } from 'zod';
import { escapeAttribute } from '#blocks/references.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call, Route } from '../../engine/types.ts';
import { answerPage } from '../../pages/pages.ts';

/** Disk usage in bytes. */
export interface DirectorySizes {
  readonly uploads: number;
  readonly database: number;
}

/** Returns the disk usage as measured now or recently; null if it cannot be measured. */
export type MeasureSizes = () => Promise<DirectorySizes | null>;

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

const namespace = 'cms-site-health/v1';
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Milliseconds within which a page should be made. */
const QUICK = 600;

/** Checks and disk usage of the site, for administrators (interface behaviour, section 42). */
export function siteHealthRoutes(sizes: MeasureSizes): readonly Route<Model, Session>[] {
  return [
    ...healthChecks.map(
      (check): Route<Model, Session> => ({
        namespace,
        pattern: `/${namespace}/tests/${check.name}`,
        endpoints: [
          {
            methods: ['GET'],
            summary: `Check: ${check.name.replaceAll('-', ' ')}`,
            args: {},
            permission: mayCheck,
            query: (call) => ({ body: { kind: 'json', value: findingJson(check, check.run(call)) } }),
            answers: finding,
            depends: null,
          },
        ],
      }),
    ),
    {
      namespace,
      pattern: `/${namespace}/directory-sizes`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Show how much room the site takes on disk',
          args: {},
          permission: mayCheck,
          query: async () => {
            const found = await sizes();
            return found === null ? NOT_AVAILABLE : { body: { kind: 'json', value: sizesJson(found) } };
          },
          answers: z.record(z.string(), z.unknown()),
          depends: null,
        },
      ],
    },
  ];
}

const NOT_AVAILABLE = refuse('not_available', 'Directory sizes could not be returned.');

const finding = z.object({
  label: z.string(),
  status: z.enum(['good', 'recommended', 'critical']),
  badge: z.object({ label: z.string(), color: z.string() }),
  description: z.string(),
  actions: z.string(),
  test: z.string(),
});

function mayCheck({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'manage_options') ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
}

/** Sizes in the form that clients show. Themes and plugins are parts of the program and have no size of their own. */
function sizesJson({ uploads, database }: DirectorySizes): Record<string, unknown> {
  const all = { cms: 0, themes: 0, plugins: 0, uploads, database, total: uploads + database };
  const each = Object.entries(all).map(([name, bytes]) => [`${name}_size`, sizeJson(bytes)] as const);
  return { raw: 0, ...Object.fromEntries(each) };
}

function sizeJson(bytes: number): Record<string, unknown> {
  const text = inWords(bytes);
  return { size: text, debug: `${text} (${bytes} bytes)`, ...(bytes === 0 ? {} : { raw: bytes }) };
}

function inWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`;
}

const noAttempt = () => ({ wait: 0, failed: () => undefined });

/** Checks of this server. Some problems that other systems check for cannot occur here; those checks say why. */
const healthChecks: readonly HealthCheck[] = [
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
      new URL(model.site().storeUrl).protocol === 'https:'
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

function findingJson({ name, topic }: HealthCheck, { status, label, description }: Finding): Record<string, unknown> {
  return {
    label,
    status,
    badge: { label: topic, color: 'blue' },
    description: `<p>${escapeAttribute(description)}</p>`,
    actions: '',
    test: name.replaceAll('-', '_'),
  };
}
