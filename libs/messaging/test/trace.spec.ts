import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type LogContext, logContext, newId } from '@swim/platform';
import type { TestNats } from '../../testing/src/servers/nats-server.js';
import { SpanReceiver } from '../../testing/src/servers/span-receiver.js';
import { until } from '../../testing/src/waiting/until.js';
import { EventPublisher, type RunningService } from '../src/index.js';
import { aBus, aContext, anEvent, change, look, startClient, startReplica } from './sample-service.js';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const contexts: (LogContext | undefined)[] = [];

let nats: TestNats;
let service: RunningService;
let client: Awaited<ReturnType<typeof startClient>>;

beforeAll(async () => {
  nats = await aBus();
  client = await startClient(nats.url);
  service = await startReplica(nats.url, {
    name: 'a',
    handle: async () => void contexts.push(logContext()),
    change: async ({ text }) => {
      contexts.push(logContext());
      return { text, servedBy: 'a' };
    },
  });
});
afterEach(() => void contexts.splice(0));
afterAll(async () => {
  await service.stop();
  await client.stop();
  await nats.stop();
});

it('a request is handled in the trace of its client', async () => {
  await client.client.call(change, { text: 'x' }, aContext(change, { traceparent }));
  expect(contexts).toEqual([expect.objectContaining({ operation: change.name, traceparent })]);
});

it('an event is consumed in the trace of the request that caused it', async () => {
  const publisher = new EventPublisher('booking', client.connection);
  const event = anEvent(newId('bkg'), 1);
  await publisher.publish({ ...event, cause: { ...event.cause, traceparent } });
  await until(() => contexts.length === 1, 'the event is consumed');
  expect(contexts).toEqual([{ requestId: event.id, operation: event.type, traceparent }]);
});

it('with a collector, the request of a client and the event that it causes are spans of its trace', async () => {
  await service.stop();
  const receiver = await SpanReceiver.start();
  service = await startReplica(
    nats.url,
    {
      name: 'a',
      handle: async ({ cause }) => void contexts.push({ ...logContext()!, traceparent: cause.traceparent! }),
      change: async ({ text }, { traceparent: own }) => {
        const event = anEvent(newId('bkg'), 1);
        const publisher = new EventPublisher('booking', client.connection);
        await publisher.publish({ ...event, cause: { ...event.cause, traceparent: own! } });
        return { text, servedBy: 'a' };
      },
    },
    20,
    0,
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint },
  );
  await client.client.call(change, { text: 'x' }, aContext(change, { traceparent }));
  await until(() => contexts.length === 1, 'the event is consumed');
  await client.client.call(look, { text: 'x' }, aContext(look));
  await service.stop();
  await receiver.stop();
  const [event, request] = receiver.spans.sort((a, b) => b.kind - a.kind);
  expect(receiver.spans).toHaveLength(2);
  expect(request).toMatchObject({ traceId: traceparent.slice(3, 35), parentSpanId: traceparent.slice(36, 52) });
  expect(request).toMatchObject({ name: change.name, kind: 2, service: 'people' });
  expect(event).toMatchObject({ name: 'process booking.completed', kind: 5, parentSpanId: request!.spanId });
  // What follows from the event belongs to the span of the event.
  expect(contexts[0]!.traceparent).toBe(`00-${event!.traceId}-${event!.spanId}-01`);
});
