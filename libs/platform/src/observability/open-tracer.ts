import type { TracingConfig } from '../config/config.js';
import type { Logger } from './logger.js';
import type { Tracer } from './tracing.js';

/** Opens the tracer of a process. Without an endpoint it is null, and the code of OpenTelemetry is not loaded. */
export async function openTracer(service: string, config: TracingConfig, logger: Logger): Promise<Tracer | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { OpenTelemetryTracer } = await import('./open-telemetry.js');
  return new OpenTelemetryTracer(service, config, logger);
}
