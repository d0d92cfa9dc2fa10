import {
  ROOT_CONTEXT,
  type Tracer as SdkTracer,
  SpanKind as SpanKinds,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord, parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config/config.js';
import type { Logger } from './logger.js';
import type { Span, SpanKind, SpanStart, Tracer } from './tracing.js';

const KINDS: Record<SpanKind, SpanKinds> = {
  server: SpanKinds.SERVER,
  client: SpanKinds.CLIENT,
  consumer: SpanKinds.CONSUMER,
};
const OF_PARENT = 'parentbased_';
// The end of a process must not wait for a collector that does not answer.
const FLUSH_WITHIN_MS = 3_000;

function samplerOf({ OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG }: TracingConfig) {
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(OTEL_TRACES_SAMPLER_ARG ?? 1),
  };
  const root = roots[name.replace(OF_PARENT, '')]!();
  return name.startsWith(OF_PARENT) ? new ParentBasedSampler({ root }) : root;
}

const exporterOf = (config: TracingConfig) =>
  new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT!.replace(/\/$/, '')}/v1/traces`,
    // They are asked for at each batch, since a file of a secret may have changed.
    headers: async () => parseKeyPairsIntoRecord(config.OTEL_EXPORTER_OTLP_HEADERS),
  });

/** Records spans by OpenTelemetry's SDK, and sends them in batches to a collector (OTLP over HTTP). */
export class OpenTelemetryTracer implements Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: SdkTracer;

  constructor(
    service: string,
    config: TracingConfig,
    private readonly logger: Logger,
  ) {
    // Spans of a batch that no attempt could send are lost.
    setGlobalErrorHandler((error) => logger.warn({ err: error }, 'spans not sent'));
    const own = resourceFromAttributes({ 'service.namespace': 'swim', 'service.name': service });
    this.provider = new TracerProvider({
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(config),
      spanProcessors: [new BatchSpanProcessor({ exporter: exporterOf(config) })],
    });
    this.tracer = this.provider.getTracer('swim');
  }

  begin({ kind, name, attributes, parent }: SpanStart): Span {
    const caused = parent === null ? null : parseTraceParent(parent);
    const context = caused ? trace.setSpanContext(ROOT_CONTEXT, { ...caused, isRemote: true }) : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`,
      end({ attributes: more = {}, isFault } = {}) {
        span.setAttributes(more);
        if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async stop(): Promise<void> {
    const flushed = this.provider.shutdown().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'spans not sent');
    });
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FLUSH_WITHIN_MS);
    await Promise.race([flushed, late]);
    clearTimeout(timer);
  }
}
