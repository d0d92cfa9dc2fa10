import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanReceiver } from '../../../testing/src/servers/span-receiver.js';
import type { TracingConfig } from '../config/config.js';
import { AppError } from '../errors/app-error.js';
import { createLogger } from './logger.js';
import { openTracer } from './open-tracer.js';
import { inSpan, type SpanStart, type Tracer } from './tracing.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${TRACE}-00f067aa0ba902b7-01`;
const silent = createLogger('tests', 'silent');

let receiver: SpanReceiver;
beforeEach(async () => {
  receiver = await SpanReceiver.start();
});
afterEach(() => receiver.stop());

const open = async (config: TracingConfig = {}): Promise<Tracer> =>
  (await openTracer('booking', { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...config }, silent))!;
const start = (name: string, of: string | null = parent): SpanStart => ({
  kind: 'server',
  name,
  attributes: { 'rpc.method': name },
  parent: of,
});

it('no endpoint, no tracer', async () => {
  expect(await openTracer('booking', {}, silent)).toBeNull();
});

it('the end of a process sends what was recorded, with its parents, errors and headers', async () => {
  const tracer = await open({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret' });
  await inSpan(tracer, start('outer'), (traceparent) =>
    inSpan(tracer, start('inner', traceparent), async () => {
      throw new AppError('unavailable');
    }).catch(() => undefined),
  );
  await tracer.stop();
  const [inner, outer] = receiver.ofTrace(TRACE);
  expect(outer).toMatchObject({ service: 'booking', name: 'outer', parentSpanId: '00f067aa0ba902b7', kind: 2 });
  expect(outer!.attributes).toEqual({ 'rpc.method': 'outer' });
  expect(inner).toMatchObject({ name: 'inner', parentSpanId: outer!.spanId, status: { code: 2 } });
  expect(inner!.attributes).toEqual({ 'rpc.method': 'inner', 'error.type': 'unavailable' });
  expect(receiver.headers.authorization).toBe('Bearer secret');
});

it('headers that have changed go with the next spans', async () => {
  const config: TracingConfig = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=one',
  };
  const tracer = (await openTracer('booking', config, silent))!;
  config.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=two';
  tracer.begin(start('x')).end();
  await tracer.stop();
  expect(receiver.headers.authorization).toBe('two');
});

it('an error that the client has made is no fault', async () => {
  const tracer = await open();
  await inSpan(tracer, start('read'), () => Promise.reject(new AppError('resource_not_found'))).catch(() => undefined);
  await tracer.stop();
  expect(receiver.spans).toMatchObject([{ status: { code: 0 }, attributes: { 'error.type': 'resource_not_found' } }]);
});

describe('which traces are recorded', () => {
  const unsampled = parent.replace(/01$/, '00');
  it.each<[string, TracingConfig, string | null, boolean]>([
    ['those of a recorded parent, by default', {}, parent, true],
    ['none of another parent, by default', {}, unsampled, false],
    ['those without a parent, by default', {}, null, true],
    ['none without a parent', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, null, false],
    ['those of a recorded parent, also then', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, parent, true],
    ['all, whatever the parent', { OTEL_TRACES_SAMPLER: 'always_on' }, unsampled, true],
    ['none, whatever the parent', { OTEL_TRACES_SAMPLER: 'always_off' }, parent, false],
    ['a share of nothing', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 }, parent, false],
    [
      'a share of all without a parent',
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 1 },
      null,
      true,
    ],
  ])('%s', async (_, config, of, isRecorded) => {
    const tracer = await open(config);
    const span = tracer.begin(start('x', of));
    expect(span.traceparent.slice(-2)).toBe(isRecorded ? '01' : '00');
    span.end();
    await tracer.stop();
    expect(receiver.spans).toHaveLength(isRecorded ? 1 : 0);
  });
});
