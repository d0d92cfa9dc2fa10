import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process, in the Prometheus text format at `/metrics`. */
export const metrics = new Registry();
collectDefaultMetrics({ register: metrics });

/** Seconds an operation took, by operation and outcome (`ok` or an error code). */
export const operationSeconds = new Histogram({
  name: 'swim_operation_seconds',
  help: 'Time an operation took',
  labelNames: ['operation', 'outcome'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

/** Events published, consumed and given up, by kind. */
export const eventsTotal = new Counter({
  name: 'swim_events_total',
  help: 'Events by what became of them',
  labelNames: ['outcome'],
  registers: [metrics],
});

/** Operations under way. */
export const operationsInFlight = new Gauge({
  name: 'swim_operations_in_flight',
  help: 'Operations under way',
  registers: [metrics],
});
