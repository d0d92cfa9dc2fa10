import { REASONS, type Reason } from '@swim/contracts';
import { errorSchemas, oneOfErrors } from './responses/error-schemas.js';
import { statusOfReason } from './responses/responses.js';
import { refTo } from './schemas.js';

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } });
const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

/** Headers of answers. */
export const HEADERS = {
  'X-Request-Id': textHeader(
    'Identifier of the request; equals `meta.request_id`. A well-formed one of your own (1 to 64 of `A-Za-z0-9_-`) is kept.',
  ),
  'X-RateLimit-Limit': integerHeader('Requests that the account may make within an hour.'),
  'X-RateLimit-Remaining': integerHeader('Requests that are left in this hour.'),
  'X-RateLimit-Reset': integerHeader('Unix second at which this hour ends.'),
  'Retry-After': integerHeader('Seconds to wait before a retry.'),
  'Idempotent-Replayed': textHeader(
    '`true` when this is the stored answer of an earlier request with the same Idempotency-Key.',
  ),
  ETag: textHeader('Identifies the content, for `If-None-Match`.'),
  'WWW-Authenticate': textHeader('`Bearer`'),
};

/** Parameters that many routes share. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeated request safe for 24 hours: the same key and body return the stored answer; another body returns `idempotency_key_reused`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
  DryRun: {
    name: 'dry_run',
    in: 'query',
    description: 'Validates and checks for conflicts, keeps nothing, and answers 200 with what would be answered.',
    schema: { type: 'boolean', default: false },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the content that you have: 304 without a body while it is the present one.',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `sequence` of the last event that you have: the stream begins after it. 0 for all events that are kept; without it the stream begins after the newest event. One of the future is rejected.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

/** The envelope, pagination and error schemas. */
export const ENVELOPE_SCHEMAS = {
  Meta: object(
    {
      timestamp: refTo('Timestamp'),
      request_id: { type: 'string' },
      // Not a `const`: openapi-python-client writes invalid code for an optional one that is no string.
      dry_run: { type: 'boolean', description: 'True on the answer to a dry run; absent from others.' },
      warnings: {
        type: 'array',
        items: {
          anyOf: [
            { type: 'string' },
            object(
              {
                code: { type: 'string' },
                date: { type: 'string', description: 'A calendar date, or an instant' },
                start: refTo('Timestamp'),
                expires_at: { type: 'string', format: 'date' },
                levels_taught: { type: 'array', items: { type: 'string' } },
                suggestions: { type: 'array', items: { type: 'object' } },
                count: { type: 'integer' },
                lesson_ids: {
                  type: 'array',
                  items: { type: 'string' },
                  description: 'The first lessons that a change leaves outside of the published hours',
                },
                reason: { type: 'string', description: 'Why a date of a class is left out' },
              },
              ['code'],
            ),
          ],
        },
        description:
          'Non-fatal notes for the developer: texts, and objects with a `code`, by which the other fields are given: see Warnings in the conventions.',
      },
    },
    ['timestamp', 'request_id'],
  ),
  Pagination: object({
    has_more: { type: 'boolean' },
    next_cursor: { type: ['string', 'null'], description: 'Send it as `cursor` for the next page; null at the end.' },
    total: { type: 'integer', minimum: 0, description: 'Exact number of results.' },
  }),
  Health: object(
    {
      status: { type: 'string', enum: ['ok', 'degraded'], description: 'Whether each service reaches what it needs' },
      services: { type: 'array', items: { type: 'string' }, description: 'Those that do not, of a `degraded` answer' },
    },
    ['status'],
  ),
  HealthEnvelope: object({
    success: { type: 'boolean', const: true },
    data: refTo('Health'),
    meta: refTo('Meta'),
  }),
  ErrorEnvelope: object({
    success: { type: 'boolean', const: false },
    error: oneOfErrors(),
    meta: refTo('Meta'),
  }),
  ...errorSchemas(),
};

/** Every reason with its code, status and message. */
export const REASON_TABLE = Object.fromEntries(
  Object.entries(REASONS).map(([reason, { code, message }]) => [
    reason,
    { code, status: statusOfReason(reason as Reason), message },
  ]),
);
