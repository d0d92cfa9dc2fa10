import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';

/** Metrics of this process, in the Prometheus text format at `/metrics`. */
export const metrics = new Registry();
// Each measurement of the event loop's delay wakes the process: with the default of 10 ms, a third of the time of one at rest.
collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 50 });

/** A counter among the metrics of this process. */
export const counter = <L extends string>(options: CounterConfiguration<L>) =>
  new Counter({ ...options, registers: [metrics] });

/** A gauge among the metrics of this process. */
export const gauge = <L extends string>(options: GaugeConfiguration<L>) =>
  new Gauge({ ...options, registers: [metrics] });

/** Duration of operations in seconds, by operation and outcome (`ok` or an error code). */
export const operationSeconds = new Histogram({
  name: 'swim_operation_seconds',
  help: 'Time an operation took',
  labelNames: ['operation', 'outcome'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

/** Events published, consumed and dead-lettered, by kind. */
export const eventsTotal = counter({
  name: 'swim_events_total',
  help: 'Events by the outcome of their handling',
  labelNames: ['outcome'],
});

/** Minimum difference between another service's clock and this process's. */
export const clockOffsetSeconds = gauge({
  name: 'swim_clock_offset_seconds',
  help: 'How far the clock of a service is off the clock of this process',
  labelNames: ['service'],
});

/** Due items that a sweep failed to handle, by sweep. */
export const sweepFailuresTotal = counter({
  name: 'swim_sweep_failures_total',
  help: 'Due items that a sweep could not handle; each is tried again',
  labelNames: ['sweep'],
});

/** Documents that are due and not handled, by work, of all replicas. */
export const dueWork = gauge({
  name: 'swim_due_work',
  help: 'Documents that are due and wait for a free replica or for what the work needs',
  labelNames: ['work', 'env'],
});

/** Time since the first of them became due, in seconds. */
export const dueWorkAge = gauge({
  name: 'swim_due_work_age_seconds',
  help: 'Time since the first document that is due became so',
  labelNames: ['work', 'env'],
});

/** Fill ratio of an event stream, from 0 to 1. */
export const streamFill = gauge({
  name: 'swim_stream_fill_ratio',
  help: 'Share of its bytes that a stream of events takes up',
  labelNames: ['stream'],
});

/** When `bus-setup` has last read the state of a stream, in seconds since 1970. */
export const streamCheckedAt = gauge({
  name: 'swim_stream_checked_timestamp_seconds',
  help: 'When the state of a stream was last read',
  labelNames: ['stream'],
});

/** Messages that a stream stores. */
export const streamMessages = gauge({
  name: 'swim_stream_messages',
  help: 'Messages that a stream stores',
  labelNames: ['stream'],
});

/** Replicas of a stream that are away or behind. */
export const streamReplicasMissing = gauge({
  name: 'swim_stream_replicas_missing',
  help: 'Replicas of a stream that are away or behind',
  labelNames: ['stream'],
});

/** Messages of a stream that a consumer has not acknowledged. */
export const consumerWaiting = gauge({
  name: 'swim_consumer_waiting',
  help: 'Messages of a stream that a consumer has not acknowledged',
  labelNames: ['stream', 'consumer'],
});

/** Returns when certificates end, in ms; undefined while none is there. They are read at each scrape. */
export const certificateEnds = new Map<string, () => number | undefined>();

gauge({
  name: 'swim_certificate_ends_timestamp_seconds',
  help: 'When a certificate ends',
  labelNames: ['certificate'],
  collect() {
    for (const [certificate, end] of certificateEnds) {
      const endsAtMs = end();
      if (endsAtMs === undefined) this.remove({ certificate });
      else this.set({ certificate }, endsAtMs / 1_000);
    }
  },
});

/** State of a circuit breaker: 0 closed, 1 half-open, 2 open. */
export const breakerState = gauge({
  name: 'swim_breaker_state',
  help: 'State of a circuit breaker: 0 closed, 1 half-open, 2 open',
  labelNames: ['breaker'],
});

/** Operations in progress. */
export const operationsInFlight = gauge({
  name: 'swim_operations_in_flight',
  help: 'Operations under way',
});
