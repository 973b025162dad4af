import { definePart } from './parts.ts';

/** Loaded only if enabled. */
export const metrics = definePart({
  name: 'metrics',
  needs: ['config'],
  open: async ({ config }) =>
    config.metrics === null ? null : (await import('../metrics/metrics.ts')).createMetrics(),
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
    const { serveMetrics } = await import('../metrics/metrics.ts');
    const { port, close } = await serveMetrics(watched, config.metrics);
    scope.defer(close);
    return port;
  },
});
