/** Loaded before a server, as an operator would load an SDK: writes each span as a line of the file `SPANS`. */
import { appendFileSync } from 'node:fs';
import {
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';

export interface SpanLine {
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | null;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly took: number;
}

const file = process.env['SPANS'] ?? '';
const exporter: SpanExporter = {
  export(spans, done) {
    for (const span of spans) appendFileSync(file, `${JSON.stringify(lineOf(span))}\n`);
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();

function lineOf(span: ReadableSpan): SpanLine {
  const { name, kind, attributes, duration } = span;
  const { traceId: trace, spanId: id } = span.spanContext();
  const parent = span.parentSpanContext?.spanId ?? null;
  return { name, trace, id, parent, kind, attributes, took: duration[0] * 1000 + duration[1] / 1e6 };
}
