import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call, Route } from '../../engine/types.ts';
import { findingJson, healthChecks } from './checks.ts';
import { type MeasureSizes, sizesJson } from './sizes.ts';

const namespace = 'cms-site-health/v1';

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
