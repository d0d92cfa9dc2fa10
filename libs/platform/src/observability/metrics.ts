import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process, in the Prometheus text format at `/metrics`. */
export const metrics = new Registry();
// Each measurement of the event loop's delay wakes the process: with the default of 10 ms, a third of the time of one at rest.
collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 50 });

/** Duration of operations in seconds, by operation and outcome (`ok` or an error code). */
export const operationSeconds = new Histogram({
  name: 'swim_operation_seconds',
  help: 'Time an operation took',
  labelNames: ['operation', 'outcome'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [metrics],
});

/** Events published, consumed and dead-lettered, by kind. */
export const eventsTotal = new Counter({
  name: 'swim_events_total',
  help: 'Events by what became of them',
  labelNames: ['outcome'],
  registers: [metrics],
});

/** Minimum difference between another service's clock and this process's. */
export const clockOffsetSeconds = new Gauge({
  name: 'swim_clock_offset_seconds',
  help: 'How far the clock of a service is off the clock of this process',
  labelNames: ['service'],
  registers: [metrics],
});

/** Due items that a sweep failed to handle, by sweep. */
export const sweepFailuresTotal = new Counter({
  name: 'swim_sweep_failures_total',
  help: 'Due items that a sweep could not handle; each is tried again',
  labelNames: ['sweep'],
  registers: [metrics],
});

/** Documents that are due and not handled, by work, of all replicas. */
export const dueWork = new Gauge({
  name: 'swim_due_work',
  help: 'Documents that are due and wait for a free replica or for what the work needs',
  labelNames: ['work', 'env'],
  registers: [metrics],
});

/** Time since the first of them became due, in seconds. */
export const dueWorkAge = new Gauge({
  name: 'swim_due_work_age_seconds',
  help: 'Time since the first document that is due became so',
  labelNames: ['work', 'env'],
  registers: [metrics],
});

/** Confirmed claims without an owner that were released. Each is the result of a fault. */
export const orphanClaimsTotal = new Counter({
  name: 'swim_orphan_claims_total',
  help: 'Confirmed claims without an owner that were released',
  registers: [metrics],
});

/** Sessions whose state differed from that in their booking. Each is the result of a fault. */
export const bookingDifferencesTotal = new Counter({
  name: 'swim_booking_differences_total',
  help: 'Sessions whose newer state had not reached their booking',
  registers: [metrics],
});

/** Differences that the last complete audit of the money found, by environment. Each needs an operator's attention. */
export const auditDifferences = new Gauge({
  name: 'swim_audit_differences',
  help: 'Differences between the ledgers of bookings and their payments, by the last complete audit',
  labelNames: ['env'],
  registers: [metrics],
});

/** When the last audit was completed, by environment, in seconds since 1970 by the database's clock. */
export const auditCompletedSeconds = new Gauge({
  name: 'swim_audit_completed_timestamp_seconds',
  help: 'When the last audit of the money was completed',
  labelNames: ['env'],
  registers: [metrics],
});

/** Fill ratio of an event stream, from 0 to 1. */
export const streamFill = new Gauge({
  name: 'swim_stream_fill_ratio',
  help: 'Share of its bytes that a stream of events takes up',
  labelNames: ['stream'],
  registers: [metrics],
});

/** State of a circuit breaker: 0 closed, 1 half-open, 2 open. */
export const breakerState = new Gauge({
  name: 'swim_breaker_state',
  help: 'State of a circuit breaker: 0 closed, 1 half-open, 2 open',
  labelNames: ['breaker'],
  registers: [metrics],
});

/** Operations in progress. */
export const operationsInFlight = new Gauge({
  name: 'swim_operations_in_flight',
  help: 'Operations under way',
  registers: [metrics],
});

/** Payments or refunds in progress, by environment; counted up to 1 000. */
export const paymentBacklog = new Gauge({
  name: 'swim_payment_backlog',
  help: 'Payments and refunds in progress, counted up to 1000',
  labelNames: ['kind', 'env'],
  registers: [metrics],
});

/** Age of the oldest payment or refund in progress, in seconds; 0 without any. */
export const paymentOldestSeconds = new Gauge({
  name: 'swim_payment_oldest_seconds',
  help: 'Age of the oldest payment or refund in progress',
  labelNames: ['kind', 'env'],
  registers: [metrics],
});

/** Refunds that the payment processor failed. Each is tried again; an increase needs an operator's attention. */
export const refundFailuresTotal = new Counter({
  name: 'swim_refund_failures_total',
  help: 'Refunds that the payment processor failed; each is tried again',
  registers: [metrics],
});

/** Tries of webhook deliveries by outcome: `succeeded`, `retried`, `failed`. */
export const webhookAttemptsTotal = new Counter({
  name: 'swim_webhook_attempts_total',
  help: 'Tries of webhook deliveries by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

/** Webhook deliveries that are due and not started, of all replicas. */
export const webhookBacklog = new Gauge({
  name: 'swim_webhook_backlog',
  help: 'Webhook deliveries that wait for a free replica or for their endpoint',
  labelNames: ['env'],
  registers: [metrics],
});

/** Age of the oldest webhook delivery that is due, or waits for its endpoint without a try so far, in seconds. */
export const webhookBacklogAge = new Gauge({
  name: 'swim_webhook_backlog_age_seconds',
  help: 'Time since the oldest webhook delivery that waits became due; of those that wait for their endpoint, the untried ones count',
  labelNames: ['env'],
  registers: [metrics],
});

/** Open streams of events of this gateway. */
export const eventStreams = new Gauge({
  name: 'swim_event_streams',
  help: 'Streams of events that are open',
  registers: [metrics],
});

/**
 * Answered requests that are not in the log of their account, by reason: `overflow` and `unavailable` while notification cannot
 * store them, `rate_limited` beyond the first and `overloaded` beyond the first ten of a second.
 */
export const requestLogLostTotal = new Counter({
  name: 'swim_request_log_lost_total',
  help: 'Answered requests that are missing in the request log of their account',
  labelNames: ['reason'],
  registers: [metrics],
});

/** Requests that are missing in the usage of their account: of too many keys while notification cannot store any. */
export const usageLostTotal = new Counter({
  name: 'swim_usage_lost_total',
  help: 'Requests of API keys that are missing in the usage of their account',
  registers: [metrics],
});

/** Writes of users that are missing in the activity of their account, by reason: `overflow` and `unavailable`. */
export const userActionsLostTotal = new Counter({
  name: 'swim_user_actions_lost_total',
  help: 'Writes of users of the dashboard that are missing in the activity of their account',
  labelNames: ['reason'],
  registers: [metrics],
});

/**
 * E-mails by outcome of a try, or of the decision against one: `sent`, `retried`, `bounced`, `failed`, `skipped`, `not_configured`.
 */
export const messagesTotal = new Counter({
  name: 'swim_messages_total',
  help: 'E-mails by outcome',
  labelNames: ['outcome'],
  registers: [metrics],
});

/** E-mails that are due and not sent, of all replicas. */
export const messageBacklog = new Gauge({
  name: 'swim_message_backlog',
  help: 'E-mails that wait for a free replica or the mail server',
  labelNames: ['env'],
  registers: [metrics],
});

/** Age of the oldest e-mail that is due, in seconds. */
export const messageBacklogAge = new Gauge({
  name: 'swim_message_backlog_age_seconds',
  help: 'Time since the oldest waiting e-mail became due',
  labelNames: ['env'],
  registers: [metrics],
});
