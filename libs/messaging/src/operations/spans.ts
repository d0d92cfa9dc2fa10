import type { BusEvent, ErrorBody, Operation } from '@swim/contracts';
import { type Answer, inSpan, type RequestContext, type SpanKind, type SpanOutcome, type Tracer } from '@swim/platform';

const decoder = new TextDecoder();

function outcomeOf(answer: Answer | null): SpanOutcome {
  if (!answer?.error) return {};
  const { code, details } = JSON.parse(decoder.decode(answer.body)) as ErrorBody;
  return { attributes: { 'error.type': details.reason }, isFault: code === 'SERVER_ERROR' };
}

/**
 * Sends or handles a request as a span of the trace that the client's request belongs to; `work` gets the context of the span. A
 * request of a service's own work belongs to none, and has no span.
 */
export function inRequestSpan<A extends Answer | null>(
  tracer: Tracer | null,
  kind: SpanKind,
  { name }: Operation,
  context: RequestContext,
  work: (context: RequestContext) => Promise<A>,
): Promise<A> {
  const { traceparent: parent } = context;
  if (!tracer || parent === null) return work(context);
  const attributes = { 'rpc.system.name': 'nats', 'rpc.method': name } as const;
  return inSpan(
    tracer,
    { kind, name, attributes, parent },
    (traceparent) => work({ ...context, traceparent }),
    outcomeOf,
  );
}

/**
 * Handles an event as a span of the trace of the request that caused it; what follows from the event belongs to that span. An event that no
 * request has caused has no span.
 */
export function inEventSpan(
  tracer: Tracer,
  event: BusEvent,
  listen: (event: BusEvent) => Promise<void>,
): Promise<void> {
  const parent = event.cause?.traceparent;
  if (parent === undefined) return listen(event);
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': event.type,
  } as const;
  const start = { kind: 'consumer', name: `process ${event.type}`, attributes, parent } as const;
  return inSpan(tracer, start, (traceparent) => listen({ ...event, cause: { ...event.cause, traceparent } }));
}
