import { z } from 'zod';
import { id, instantOrDate, instantText, timestamp } from '../formats/formats.js';
import { isInOrder, reversed } from '../formats/list-query.js';
import { rpc } from '../operations/operation.js';
import { MOST_RECORDED, REQUEST_LOG_DAYS } from './request-log.js';

/** Clock hours of which usage is kept, the current one included: as long as requests stay in the log. */
export const USAGE_HOURS = REQUEST_LOG_DAYS * 24;

const count = z.int().min(0);

const counts = {
  requests: count.meta({ description: 'Requests of API keys that were answered, without those that a limit rejected' }),
  client_errors: count.meta({ description: 'Those of `requests` whose status was 4xx' }),
  server_errors: count.meta({ description: 'Those of `requests` whose status was 5xx' }),
  limited: count.meta({ description: 'Requests that a limit rejected with 429; they do not count against it' }),
};

export const requestCounts = z.object(counts);
export type RequestCounts = z.output<typeof requestCounts>;

export const usageHour = z.object({
  start: instantText.meta({ description: 'Beginning of the clock hour (UTC)' }),
  ...counts,
});
export type UsageHour = z.output<typeof usageHour>;

/** The limits of an account in an environment, which its keys share. */
export const usageLimits = z.object({
  per_hour: z.int().meta({ description: 'Requests within a clock hour (UTC)', examples: [1000] }),
  per_minute: z.int().meta({ description: 'Requests within a clock minute (UTC)', examples: [100] }),
});
export type UsageLimits = z.output<typeof usageLimits>;

/** The use that the keys of an account made of the API, hour by hour. */
export const usage = z.object({
  date_from: instantText.meta({ description: 'Beginning of the first hour' }),
  date_to: instantText.meta({ description: 'End of the last hour' }),
  /** Only the gateway knows the limits: it adds them to what the service answers. */
  limits: usageLimits
    .optional()
    .meta({ description: 'The limits in force; all keys of the account share them in each environment' }),
  totals: requestCounts.meta({ description: 'The sums of all hours' }),
  hours: z
    .array(usageHour)
    .meta({ description: 'Every clock hour of the range, ascending, also those without a request' }),
});
export type Usage = z.output<typeof usage>;

/**
 * What one gateway has answered to one key within a clock hour, since it began to count. The numbers only grow, and the id is new
 * whenever they begin at 0 again: of several states of a count the highest holds, in whatever order they arrive.
 */
export const usageCount = z.strictObject({
  id: id('usc'),
  account_id: id('acct'),
  key_id: z.string(),
  hour: timestamp,
  ...counts,
});
export type UsageCount = z.output<typeof usageCount>;

/** Stores counts of gateways. Idempotent; an earlier state of a count changes nothing. */
export const recordUsage = rpc('notification.recordUsage', {
  kind: 'write',
  input: z.strictObject({ usageCounts: z.array(usageCount).min(1).max(MOST_RECORDED) }),
  output: z.object({}),
  isIsolated: true,
});

export const getUsage = rpc('notification.getUsage', {
  summary: 'Get the usage',
  description:
    'How many requests the account’s API keys made in each clock hour (UTC) of the environment, against the limits: by default in the last 24 hours, at most in the last seven days. The range is widened to whole hours. A request is counted a few seconds after its answer, in the hour in which it arrived; users of the dashboard have a limit of their own, and are not counted.',
  kind: 'read',
  input: z
    .strictObject({
      date_from: instantOrDate.optional(),
      date_to: instantOrDate.optional(),
      key_id: id('key').optional().meta({ description: 'Only requests of this key' }),
    })
    .refine(isInOrder('date'), reversed('date')),
  output: usage,
});
