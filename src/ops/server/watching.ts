import { createMetrics, serveMetrics } from '../metrics/metrics.ts';
import { definePart } from './parts.ts';

export const metrics = definePart({
  name: 'metrics',
  needs: ['config'],
  open: ({ config }) => (config.metrics === null ? null : createMetrics()),
});

/** Loaded only if enabled. */
export const telemetry = definePart({
  name: 'telemetry',
  needs: ['config'],
  open: async ({ config }) => (config.telemetry ? (await import('../telemetry.ts')).createTelemetry() : null),
});

export const metricsPort = definePart({
  name: 'metricsPort',
  needs: ['config', 'metrics'],
  async open({ config, metrics: watched }, scope) {
    if (watched === null || config.metrics === null) return null;
    const { port, close } = await serveMetrics(watched, config.metrics);
    scope.defer(close);
    return port;
  },
});
