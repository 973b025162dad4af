import { createHash } from 'node:crypto';
import {
  type PluginCall,
  type PluginFault,
  type PluginReader,
  type PluginRoute,
  type PluginSession,
  reply,
  z,
} from 'palimpsest/plugin';
import { type AnalyticsProperties, analytics } from './area.ts';
import { assignVariants, recordAction } from './decide.ts';
import { analyticsSettings, type Experiment } from './settings.ts';
import { siteProperties } from './store.ts';

const recordedEvent = z.object({ status: z.literal('success'), id: z.string().regex(/^\d+$/) });

/** An empty list: nothing was counted. */
const recorded = z.object({ status: z.union([recordedEvent, z.array(z.unknown()).max(0)]) });

const variant = z.object({ key: z.string(), value: z.string(), payload: z.unknown().optional() });

const experiments = z.object({ status: z.literal('success'), data: z.record(z.string(), variant) });

/** Maximum bytes of JSON of an event. */
const largest = 16 * 1024;
const longestAction = 200;

const counted = z.looseObject({ action: z.string().max(longestAction).nullable() }).partial();

export const routes: readonly PluginRoute[] = [
  {
    method: 'POST',
    path: 'host-analytics-event',
    summary: 'Count an event',
    access: 'admin',
    args: { params: { schema: z.unknown(), sent: counted, check: occurrence, hidden: true } },
    answers: recorded,
    command: record,
  },
  {
    method: 'GET',
    path: 'host-analytics-experiments',
    summary: 'Show the variants assigned to the site',
    access: 'admin',
    answers: experiments,
    due: lacksVariant,
    begin: assign,
    query: showExperiments,
  },
];

function occurrence(value: unknown): PluginFault | null {
  if (!isRecord(value)) return wrongType('params', 'object');
  if (Buffer.byteLength(JSON.stringify(value)) > largest) {
    return { code: 'rest_too_large', message: `params must be at most ${largest} bytes long.` };
  }
  const { action } = value;
  if (action !== undefined && action !== null && typeof action !== 'string')
    return wrongType('params[action]', 'string');
  return (action?.length ?? 0) > longestAction
    ? { code: 'rest_too_long', message: `params[action] must be at most ${longestAction} characters long.` }
    : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrongType(param: string, type: string): PluginFault {
  return { code: 'rest_invalid_type', message: `${param} is not of type ${type}.`, data: { param } };
}

function record({ model, params, settings }: PluginCall<PluginSession>) {
  const { action, ...sent } = (params['params'] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof action !== 'string' || action === '') return reply({ status: [] });
  const properties = { ...(sent as AnalyticsProperties), ...siteProperties(model) };
  const occurrence = { action, properties, day: model.local.slice(0, 10) };
  const events = recordAction(model.document(analytics), occurrence, settings(analyticsSettings).oncePerDay);
  model.stage(analytics, events);
  return reply({ status: events.length === 0 ? [] : { status: 'success', id: String(model.position) } });
}

function lacksVariant({ model, settings }: PluginCall<PluginReader>): boolean {
  const { variants } = model.document(analytics);
  return settings(analyticsSettings).experiments.some(({ flag }) => !Object.hasOwn(variants, flag));
}

/** A variant is chosen once; its payload and its weight may change later. */
function assign({ model, settings }: PluginCall<PluginSession>): void {
  const { configuredUrl } = model.site();
  const chosen = settings(analyticsSettings).experiments.map(
    ({ flag, variants }) => [flag, pick(variants, `${configuredUrl}:${flag}`)] as const,
  );
  model.stage(analytics, assignVariants(model.document(analytics), Object.fromEntries(chosen)));
}

function showExperiments({ model, settings }: PluginCall<PluginReader>) {
  const { variants: assigned } = model.document(analytics);
  const shown = settings(analyticsSettings).experiments.map(({ flag, variants }) => {
    const value = assigned[flag];
    const payload = variants.find(({ key }) => key === value)?.payload;
    return [flag, { key: flag, value, ...(payload === undefined ? {} : { payload }) }] as const;
  });
  return { status: 'success', data: Object.fromEntries(shown) };
}

/** Picks by weight, always the same for the same seed. */
function pick(variants: Experiment['variants'], seed: string): string {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const share = createHash('sha256').update(seed).digest().readUIntBE(0, 6) / 2 ** 48;
  let left = share * total;
  const found = variants.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? variants.at(-1))?.key ?? '';
}
