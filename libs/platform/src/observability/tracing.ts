import { AppError, isServerFault } from '../errors/app-error.js';

/**
 * A span has these attributes only: names of OpenTelemetry's semantic conventions, whose values are few and known before. Without
 * ids, paths, queries and addresses, a trace contains no personal data.
 */
export const SPAN_ATTRIBUTES = [
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'rpc.method',
  'rpc.system.name',
] as const;

export type SpanAttributes = { [A in (typeof SPAN_ATTRIBUTES)[number]]?: string | number };

/** What a span is of, for its service: a request that it got or sends, or an event that it consumes. */
export type SpanKind = 'server' | 'client' | 'consumer';

/** How the work of a span ended. */
export interface SpanOutcome {
  readonly attributes?: SpanAttributes;
  /** Whether it failed, and not by an error that its client has made. */
  readonly isFault?: boolean;
}

export interface Span {
  /** W3C trace context of this span, for the work that it causes. */
  readonly traceparent: string;
  end(outcome?: SpanOutcome): void;
}

export interface SpanStart {
  readonly kind: SpanKind;
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** W3C trace context of what caused it; null begins a trace. */
  readonly parent: string | null;
}

/** Records spans. A process has one only where an endpoint for traces is set. */
export interface Tracer {
  begin(start: SpanStart): Span;
  /** Exports what was recorded, for a few seconds at most. */
  stop(): Promise<void>;
}

const outcomeOfThrown = (error: unknown): SpanOutcome => ({
  attributes: {
    'error.type': error instanceof AppError ? error.reason : error instanceof Error ? error.name : 'unknown',
  },
  isFault: isServerFault(error),
});

/** Runs work as a span, whose trace context it gets. */
export async function inSpan<T>(
  tracer: Tracer,
  start: SpanStart,
  work: (traceparent: string) => Promise<T>,
  outcomeOf: (result: T) => SpanOutcome = () => ({}),
): Promise<T> {
  const span = tracer.begin(start);
  try {
    const result = await work(span.traceparent);
    span.end(outcomeOf(result));
    return result;
  } catch (error) {
    span.end(outcomeOfThrown(error));
    throw error;
  }
}
