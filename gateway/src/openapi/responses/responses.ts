import { type Operation, REASONS, type Reason } from '@swim/contracts';
import { defaultRetryAfterSeconds, httpStatusOf } from '../../http/http-status.js';
import type { Page } from '../../public-pages.js';
import type { Route } from '../../routes.js';
import { type JsonSchema, nameOfOutput } from '../schemas.js';
import { inputReasons } from './input-reasons.js';

type Json = Record<string, unknown>;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const headers = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
const content = (schema: unknown): Json => ({ 'application/json': { schema } });
const CSV: Json = {
  'text/csv': { schema: { type: 'string', description: 'A header, a row for each day, and the totals' } },
};

const EVERYWHERE = ['X-Request-Id'];
const REPLAYED = 'Idempotent-Replayed';
const COUNTED = [...EVERYWHERE, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Reasons that any operation may return, beside bad input. */
const ALWAYS: readonly Reason[] = [
  'missing_key',
  'malformed_key',
  'unknown_key',
  'expired_key',
  'revoked_key',
  'address_not_allowed',
  'wrong_environment',
  'hourly_limit',
  'burst_limit',
  'authentication_attempts',
  'internal',
  'unavailable',
  'overloaded',
  'deadline_exceeded',
  'malformed_url',
  'unknown_field',
  'headers_too_large',
  'malformed_request',
];
/** Reasons of a body, before the contract is checked; a DELETE may have an empty one. */
const OF_BODIES: readonly Reason[] = [
  'invalid_json',
  'invalid_body',
  'duplicate_field',
  'too_deep',
  'forbidden_characters',
  'card_number',
  'body_too_large',
  'unsupported_media_type',
];
/** Reasons of an Idempotency-Key. */
const OF_KEYS: readonly Reason[] = ['invalid_idempotency_key', 'idempotency_key_reused', 'idempotency_in_progress'];
const OF_QUERIES: readonly Reason[] = ['duplicate_parameter', 'forbidden_characters'];
/** Reasons of `dry_run`, the only query parameter of a write. */
const OF_DRY_RUNS: readonly Reason[] = ['invalid_value'];

/** Reasons of `Last-Event-ID`, the only input of a stream. */
const OF_LAST_EVENT_ID: readonly Reason[] = ['invalid_format'];

/** Reasons of every request without a key. */
const WITHOUT_KEY: readonly Reason[] = [
  'authentication_attempts',
  'internal',
  'unavailable',
  'overloaded',
  'deadline_exceeded',
  'malformed_url',
  'headers_too_large',
  'malformed_request',
];

/** Reasons of a calendar feed, which needs no key. */
const OF_FEEDS: readonly Reason[] = [
  ...WITHOUT_KEY,
  'resource_not_found',
  'duplicate_parameter',
  'forbidden_characters',
  'hourly_limit',
  'burst_limit',
];

const takesKey = ({ method }: Route): boolean => method === 'POST' || method === 'PATCH';

/** Every reason that a route may return, from its services or from the gateway. */
export function reasonsOf(route: Route): Reason[] {
  if (route.isFeed) return [...OF_FEEDS];
  const { method, operation, scope, path, isStream, isOfFamily } = route;
  const ofInput = isStream ? OF_LAST_EVENT_ID : inputReasons(route);
  const reasons: Reason[] = [...operation.errors, ...ALWAYS, ...OF_QUERIES, ...ofInput];
  if (scope !== null) reasons.push('missing_scope');
  if (operation.kind === 'write' && !operation.whileClosing) reasons.push('account_closing');
  if (path.includes('{account_id}') && !isOfFamily) reasons.push('foreign_account');
  if (path.includes('{')) reasons.push('resource_not_found');
  if (method !== 'GET') reasons.push(...OF_BODIES, ...OF_DRY_RUNS);
  if (takesKey(route)) reasons.push(...OF_KEYS);
  return [...new Set(reasons)];
}

/** HTTP status of a reason, as the gateway answers it. */
export const statusOfReason = (reason: Reason): number => httpStatusOf(REASONS[reason].code, reason);

const namesOf = (reasons: readonly Reason[]): string => reasons.map((reason) => `\`${reason}\``).join(', ');

/** Statuses of the errors that are stored under an Idempotency-Key, and answered again. */
const STORED: readonly number[] = [402, 404, 409];

function errorResponse(status: number, reasons: readonly Reason[], isKeyed = false): Json {
  const headerNames = COUNTED.slice(0, status === 401 || status === 431 ? 1 : undefined);
  if (reasons.some((reason) => defaultRetryAfterSeconds(status, reason) !== null)) headerNames.push('Retry-After');
  if (isKeyed && STORED.includes(status)) headerNames.push(REPLAYED);
  if (status === 401) headerNames.push('WWW-Authenticate');
  const one = reasons.length === 1 ? REASONS[reasons[0]!].message : `One of ${namesOf(reasons)}`;
  return {
    description: one,
    headers: headers(...headerNames),
    content: content(ref('schemas', 'ErrorEnvelope')),
    'x-reasons': reasons,
  };
}

/** Errors that most routes share, by their names in the components. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthenticated'],
  [413, 'BodyTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'IdempotencyKeyReused'],
  [429, 'RateLimited'],
  [431, 'HeadersTooLarge'],
  [500, 'InternalError'],
  [503, 'Unavailable'],
  [504, 'DeadlineExceeded'],
]);

const ofStatus = (reasons: readonly Reason[], status: number) =>
  reasons.filter((reason) => statusOfReason(reason) === status);
const sharedReasons = (status: number) => ofStatus([...ALWAYS, ...OF_BODIES, ...OF_KEYS], status);

/** The answer to the dry run of a DELETE, whose own answer has no body. */
const NOTHING_KEPT: Json = {
  description: 'Dry run: nothing was kept',
  headers: headers(...COUNTED),
  content: content({
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data: { type: 'object', properties: {}, description: 'Empty' },
      meta: ref('schemas', 'Meta'),
    },
    required: ['success', 'data', 'meta'],
  }),
};

/** `components.responses`. */
export const sharedResponses = (): Json => ({
  ...Object.fromEntries([...SHARED].map(([status, name]) => [name, errorResponse(status, sharedReasons(status))])),
  NothingKept: NOTHING_KEPT,
});

function errorResponses(all: readonly Reason[], isKeyed = false): Json {
  const responses = [...new Set(all.map(statusOfReason))].map((status) => {
    const reasons = ofStatus(all, status);
    const name = SHARED.get(status);
    const isShared = name !== undefined && reasons.length === sharedReasons(status).length;
    return [String(status), isShared ? ref('responses', name) : errorResponse(status, reasons, isKeyed)];
  });
  return Object.fromEntries(responses);
}

/** The operation that is answered. */
type Answering = Pick<Route, 'operation'>;

const nameOfEnvelope = ({ operation }: Answering): string =>
  `${nameOfOutput(operation)}${operation.kind === 'list' ? 'List' : ''}Envelope`;

function envelopeSchema({ operation }: Answering): JsonSchema {
  const item = ref('schemas', nameOfOutput(operation));
  const isList = operation.kind === 'list';
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data: isList ? { type: 'array', items: item } : item,
      ...(isList ? { pagination: ref('schemas', 'Pagination') } : {}),
      meta: ref('schemas', 'Meta'),
    },
    required: ['success', 'data', ...(isList ? ['pagination'] : []), 'meta'],
  };
}

/** Schemas of whole answers, by their names in the components. */
export const envelopeSchemas = (routes: readonly Answering[]): Record<string, JsonSchema> =>
  Object.fromEntries(routes.map((route) => [nameOfEnvelope(route), envelopeSchema(route)]));

const STREAM_DESCRIPTION = `Server-sent events. Each has the \`sequence\` of an event as its \`id\`, and the event, as \`GET /events/{event_id}\` answers it, as its \`data\`. \`event: truncated\` comes first where events after \`Last-Event-ID\` are no longer kept. A comment comes every 15 seconds.`;

const FEED_DESCRIPTION =
  'The lessons from 90 days ago to 365 days ahead as iCalendar (RFC 5545). Each has the id of its session as UID; SEQUENCE grows with every change. Cancelled ones stay, with STATUS:CANCELLED.';

/** The answers of a calendar feed. */
function feedResponses(): Json {
  const calendar = { 'text/calendar': { schema: { type: 'string' } } };
  const tagged = headers(...EVERYWHERE, 'ETag');
  return {
    200: { description: FEED_DESCRIPTION, headers: tagged, content: calendar },
    304: { description: 'The reader has the present content', headers: tagged },
  };
}

function successResponses(route: Route): Json {
  const { status, method, isStream } = route;
  if (route.isFeed) return feedResponses();
  if (isStream) {
    const events = { 'text/event-stream': { schema: { type: 'string' } } };
    return { 200: { description: STREAM_DESCRIPTION, headers: headers(...COUNTED), content: events } };
  }
  const headerNames = takesKey(route) ? [...COUNTED, REPLAYED] : COUNTED;
  const bodies = { ...content(ref('schemas', nameOfEnvelope(route))), ...(route.hasCsv ? CSV : {}) };
  const good = { headers: headers(...headerNames), content: bodies };
  if (status === 204)
    return {
      204: { description: 'Done; no body', headers: headers(...headerNames) },
      200: ref('responses', 'NothingKept'),
    };
  if (status === 201)
    return {
      201: { description: 'Created', ...good },
      200: { description: 'Dry run: what would be answered; nothing was kept', ...good },
    };
  if (status === 202) {
    const atOnce = { 204: { description: 'With a test key: done at once; no body', headers: headers(...headerNames) } };
    const dryRun = { description: 'Dry run: what would be answered; nothing was kept', ...good };
    return { 202: { description: 'Begun; it can still be taken back', ...good }, ...atOnce, 200: dryRun };
  }
  return { 200: { description: method === 'GET' ? 'Found' : 'Done', ...good } };
}

/** The `responses` of a route: success, and every status of its errors. */
export const responsesOf = (route: Route): Json => ({
  ...successResponses(route),
  ...errorResponses(reasonsOf(route), takesKey(route)),
});

/** Reasons of a webhook, beside those of its operation. */
const OF_WEBHOOKS: readonly Reason[] = [...WITHOUT_KEY, 'body_too_large', 'unsupported_media_type'];

/** The responses of a processor's webhook. */
export const webhookResponses = (operation: Operation): Json => ({
  200: {
    description: 'Received',
    headers: headers(...EVERYWHERE),
    content: content(ref('schemas', nameOfEnvelope({ operation }))),
  },
  ...errorResponses([...operation.errors, ...OF_WEBHOOKS]),
});

/** Reasons of a page that needs no key. */
const OF_PAGES: readonly Reason[] = ['unavailable', 'malformed_url', 'headers_too_large', 'malformed_request'];

/** The responses of a page that needs no key. */
export function pageResponses(page: Page['page']): Json {
  const isDocument = page.startsWith('openapi');
  const schema = isDocument
    ? { type: 'object', description: `An OpenAPI ${page === 'openapi' ? '3.1' : '3.0'} document` }
    : ref('schemas', 'HealthEnvelope');
  const own = headers(...EVERYWHERE, ...(isDocument ? ['ETag'] : []));
  return {
    200: { description: 'Found', headers: own, content: content(schema) },
    ...(isDocument ? { 304: { description: 'The client has the present document', headers: own } } : {}),
    ...errorResponses(OF_PAGES),
  };
}
