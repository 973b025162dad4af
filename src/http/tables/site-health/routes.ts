import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call, Route } from '../../engine/types.ts';
import { findingJson, healthChecks } from './checks.ts';

/** Disk usage in bytes. */
export interface DirectorySizes {
  readonly uploads: number;
  readonly database: number;
}

/** Returns the disk usage as measured now or recently; null if it cannot be measured. */
export type MeasureSizes = () => Promise<DirectorySizes | null>;

const namespace = 'cms-site-health/v1';
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Checks and disk usage of the site, for administrators (interface behaviour, section 42). */
export function siteHealthRoutes(sizes: MeasureSizes): readonly Route<Model, Session>[] {
  return [
    ...healthChecks.map(
      (check): Route<Model, Session> => ({
        namespace,
        pattern: `/${namespace}/tests/${check.name}`,
        endpoints: [
          {
            ...{
              methods: ['GET'],
              summary: `Check: ${check.name.replaceAll('-', ' ')}`,
              args: {},
              permission: mayCheck,
            },
            query: (call) => ({ body: { kind: 'json', value: findingJson(check, check.run(call)) } }),
            ...{ answers: finding, depends: null },
          },
        ],
      }),
    ),
    {
      namespace,
      pattern: `/${namespace}/directory-sizes`,
      endpoints: [
        {
          ...{ methods: ['GET'], summary: 'Show how much room the site takes on disk', args: {}, permission: mayCheck },
          query: async () => {
            const found = await sizes();
            return found === null ? NOT_AVAILABLE : { body: { kind: 'json', value: sizesJson(found) } };
          },
          ...{ answers: z.record(z.string(), z.unknown()), depends: null },
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
