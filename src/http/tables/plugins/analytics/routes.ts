import { createHash } from 'node:crypto';
import { z } from 'zod';
import { siteProperties, stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { type AnalyticsProperties, analytics } from '#domain/plugins/analytics/area.ts';
import { assignVariants, recordAction } from '#domain/plugins/analytics/decide.ts';
import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import { isRecord } from '#text/shapes.ts';
import { fault, wrongType } from '../../../engine/faults.ts';
import type { Answer, Call, Fault } from '../../../engine/types.ts';
import { emptyListSchema } from '../kit/answers.ts';
import { fresh, rawAnswer } from '../kit/envelopes.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';

const recordedEvent = z.object({ status: z.literal('success'), id: z.string().regex(/^\d+$/) });

/** An empty list: nothing was counted. */
const recorded = z.object({ status: z.union([recordedEvent, emptyListSchema]) });

const variant = z.object({ key: z.string(), value: z.string(), payload: z.unknown().optional() });

const experiments = z.object({ status: z.literal('success'), data: z.record(z.string(), variant) });

const name = 'host-analytics/v1';
/** Maximum bytes of JSON of an event. */
const largest = 16 * 1024;
const longestAction = 200;

export const hostAnalytics: Namespace = {
  name,
  routes: ({ settings }) =>
    tableOf(name, [
      {
        method: 'POST',
        path: 'host-analytics-event',
        summary: 'Count an event',
        access: 'admin',
        args: { params: { schema: z.unknown(), sent: counted, check: occurrence, hidden: true } },
        answers: recorded,
        command: (call) => record(call, settings),
      },
      {
        method: 'GET',
        path: 'host-analytics-experiments',
        summary: 'Show the variants assigned to the site',
        access: 'admin',
        answers: experiments,
        due: (model) => lacksVariant(model, settings),
        begin: (session) => assign(session, settings),
        show: (model) => showExperiments(model, settings),
      },
    ]),
};

const counted = z.looseObject({ action: z.string().max(longestAction).nullable() }).partial();

function occurrence(value: unknown): Fault | null {
  if (!isRecord(value)) return wrongType('params', 'object');
  if (Buffer.byteLength(JSON.stringify(value)) > largest) {
    return fault('rest_too_large', `params must be at most ${largest} bytes long.`);
  }
  const { action } = value;
  if (action !== undefined && action !== null && typeof action !== 'string')
    return wrongType('params[action]', 'string');
  return (action?.length ?? 0) > longestAction
    ? fault('rest_too_long', `params[action] must be at most ${longestAction} characters long.`)
    : null;
}

function record({ model: session, params }: Call<Session>, { oncePerDay }: PluginSettings): Answer {
  const { action, ...given } = (params['params'] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof action !== 'string' || action === '') return rawAnswer({ status: [] });
  const properties = { ...(given as AnalyticsProperties), ...siteProperties(session) };
  const day = session.now.local.slice(0, 10);
  const events = recordAction(session.plugin(analytics), { action, properties, day }, oncePerDay);
  stageIn(session, analytics, events);
  return rawAnswer({ status: events.length === 0 ? [] : { status: 'success', id: String(session.reached) } });
}

function lacksVariant(model: Model, { experiments }: PluginSettings): boolean {
  const { variants } = model.plugin(analytics);
  return experiments.some(({ flag }) => !Object.hasOwn(variants, flag));
}

/** A variant is chosen once; its payload and its weight may change later. */
function assign(session: Session, { experiments }: PluginSettings): void {
  const { configuredUrl } = session.site();
  const chosen = experiments.map(({ flag, variants }) => [flag, pick(variants, `${configuredUrl}:${flag}`)] as const);
  stageIn(session, analytics, assignVariants(session.plugin(analytics), Object.fromEntries(chosen)));
}

function showExperiments(model: Model, { experiments }: PluginSettings): Answer {
  const { variants: assigned } = model.plugin(analytics);
  const shown = experiments.map(({ flag, variants }) => {
    const value = assigned[flag];
    const payload = variants.find(({ key }) => key === value)?.payload;
    return [flag, { key: flag, value, ...(payload === undefined ? {} : { payload }) }] as const;
  });
  return fresh({ status: 'success', data: Object.fromEntries(shown) });
}

/** Picks by weight, always the same for the same seed. */
function pick(variants: PluginSettings['experiments'][number]['variants'], seed: string): string {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const share = createHash('sha256').update(seed).digest().readUIntBE(0, 6) / 2 ** 48;
  let left = share * total;
  const found = variants.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? variants.at(-1))?.key ?? '';
}
