import { z } from 'zod';
import { id, idText, instantOrDate, instantText, text } from '../formats/formats.js';
import { listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';

/** Days for which a request stays in the log. */
export const REQUEST_LOG_DAYS = 7;
/** The most entries that a gateway hands over in one request. */
export const MOST_RECORDED = 500;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const STATUSES = {
  '2xx': [200, 201, 202, 204],
  '4xx': [400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 431],
  '5xx': [500, 502, 503, 504],
} as const;
const STATUS_VALUES = Object.entries(STATUSES).flatMap(([group, codes]) => [group, ...codes.map(String)]);

/** The statuses that values of the filter mean: `404` itself, `4xx` all that the API answers of this group. */
export const statusesOf = (values: readonly string[]): number[] =>
  values.flatMap((value) => STATUSES[value as keyof typeof STATUSES] ?? [Number(value)]);

const pathText = z.string().max(512, { error: 'too_long', abort: true });

const fields = {
  request_id: z
    .string()
    .meta({ description: '`X-Request-Id`: the id of the request, or the one that the client sent' }),
  method: z.string().meta({ description: 'HTTP method', examples: ['POST'] }),
  path: pathText.nullable().meta({
    description:
      'Path of the request. A parameter that is no id has the name of the parameter; null where no route has the path',
    examples: ['/v1/sessions/ses_01k5zr8q3ve9mbf6w2n0x4ht7c'],
  }),
  query: z.record(z.string(), z.string()).meta({
    description: 'Query parameters: paging, ids, dates and enumerations as sent, the values of all others `[redacted]`',
    examples: [{ limit: '50', search: '[redacted]' }],
  }),
  status: z.int().meta({ description: 'HTTP status of the answer', examples: [201] }),
  reason: z.string().nullable().meta({ description: '`error.details.reason` of the answer; null without an error' }),
  duration_ms: z.number().meta({ description: 'Milliseconds from the head of the request to the end of the answer' }),
  key_id: idText('key').nullable().meta({ description: 'The API key; null for a user of the dashboard' }),
  user_id: idText('usr').nullable().meta({ description: 'The user of the dashboard; null for an API key' }),
  network: z.string().meta({ description: 'Where the request came from: the /24 of an IPv4 address, the /64 of IPv6' }),
};

/** One request that was answered: without bodies and headers, and without values that could be personal. */
export const requestLogEntry = apiObject('request_log_entry', {
  id: idText('rlog'),
  ...fields,
  created_at: instantText.meta({ description: 'When the request was answered' }),
});
export type RequestLogEntry = z.output<typeof requestLogEntry>;

/** An entry as a gateway hands it over. The id has the time of the answer (UUIDv7). */
const recordedRequest = z.strictObject({ id: id('rlog'), account_id: id('acct'), ...fields });
export type RecordedRequest = z.output<typeof recordedRequest>;

/** Stores what gateways have answered. Idempotent by the ids of the entries. */
export const recordRequests = rpc('notification.recordRequests', {
  kind: 'write',
  input: z.strictObject({ answeredRequests: z.array(recordedRequest).min(1).max(MOST_RECORDED) }),
  output: z.object({}),
  isIsolated: true,
});

export const listRequests = rpc('notification.listRequests', {
  summary: 'List requests',
  description:
    'Requests of the account’s keys and of its users in the dashboard, newest first, for seven days; without bodies and headers. An entry is listed a few seconds after its answer.',
  kind: 'list',
  input: listQuery({
    status: several(STATUS_VALUES).optional(),
    method: several(METHODS).optional(),
    path: pathText.min(1, { error: 'too_short' }).optional().meta({ description: 'Beginning of the path, as text' }),
    request_id: text(64, 1).optional(),
    key_id: id('key').optional(),
    user_id: id('usr').optional(),
    requester: z
      .enum(['key', 'user'], { error: 'invalid_value' })
      .optional()
      .meta({ description: 'Only requests of API keys, or only those of users of the dashboard' }),
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
  }),
  output: requestLogEntry,
});

export const getRequest = rpc('notification.getRequest', {
  summary: 'Get a request',
  description: 'One entry of the request log. `GET /events?request_id=` lists the events that it caused.',
  kind: 'read',
  input: z.strictObject({ request_log_id: id('rlog') }),
  output: requestLogEntry,
  errors: ['resource_not_found'],
});
