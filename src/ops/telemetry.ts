import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Tracing } from '#domain/kernel/tracing.ts';
import { templateOf } from '#http/openapi/place.ts';
import type { RequestTracing } from '#http/server/tracing.ts';
import type { Outgoing } from '#outgoing/fetch.ts';
import type { Poster } from '#outgoing/post.ts';
import { version } from './version.ts';

export interface Telemetry extends Tracing, RequestTracing {
  readonly outgoing: (outgoing: Outgoing) => Outgoing;
  readonly poster: (poster: Poster) => Poster;
}

const correlation = 'palimpsest.correlation_id';

/** Creates spans by the OpenTelemetry API. The operator's registered SDK decides where they go. */
export function createTelemetry(): Telemetry {
  const tracer = trace.getTracer('palimpsest', version);
  const underWay = new Map<string, Context>();
  const note: Tracing['note'] = (part, request, began, about = {}) => {
    const kind = part === 'outgoing' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const own = request === null ? {} : { [correlation]: request };
    const parent = request === null ? context.active() : (underWay.get(request) ?? ROOT_CONTEXT);
    const options = { kind, startTime: performance.timeOrigin + began, attributes: { ...about, ...own } };
    tracer.startSpan(part, options, parent).end();
  };
  const asked = async <T>(address: string, method: string, work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const host = URL.parse(address)?.host ?? '';
    try {
      return await work;
    } finally {
      note('outgoing', null, began, { 'server.address': host, 'http.request.method': method });
    }
  };
  return {
    note,
    begin({ id, method, path, headers }, work) {
      const parent = propagation.extract(ROOT_CONTEXT, headers);
      const attributes = { 'http.request.method': method, 'url.path': path, [correlation]: id };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      const own = trace.setSpan(parent, span);
      underWay.set(id, own);
      context.with(own, work);
      return ({ route, status }) => {
        const { path: template } = templateOf(route);
        span.updateName(`${method} ${template}`);
        span.setAttributes({ 'http.route': template, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        // Two requests may carry the same id.
        if (underWay.get(id) === own) underWay.delete(id);
      };
    },
    outgoing: ({ get }) => ({ get: (address, wanted) => asked(address, 'GET', get(address, wanted)) }),
    poster: (poster) => ({ ...poster, post: (address, sent) => asked(address, 'POST', poster.post(address, sent)) }),
  };
}
