import { z } from 'zod';
import { id, idText, instantOrDate, instantText, text } from '../formats/formats.js';
import { listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { EVENT_TYPES } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

/** Version of the shapes inside an event; a break is a new one. */
export const EVENT_API_VERSION = 'v1';

const eventRequest = z
  .object({ id: z.string(), idempotency_key: z.string().nullable() })
  .meta({ title: 'EventRequest' });

/** An event as one account sees it: in the list, and in the body of a webhook. */
export const accountEvent = apiObject('event', {
  /** `evt_…`, of this account's own copy; the same on every delivery. */
  id: idText('evt'),
  /** One of EVENT_TYPES, or one that only a newer service knows. */
  type: z.string(),
  /** ISO 8601 UTC time of the change. */
  timestamp: instantText,
  /** From 1, without gaps, for each account and environment. */
  sequence: z.int(),
  account_id: idText('acct'),
  api_version: z.literal(EVENT_API_VERSION),
  livemode: z.boolean(),
  data: z.object({
    /** The object as GET answers it, less names, notes, contacts and medical notes; `object` names its kind. */
    object: z.looseObject({ object: z.string() }),
    /** Former values of the fields that an update changed; null when nothing was updated. */
    previous_attributes: z.record(z.string(), z.unknown()).nullable(),
  }),
  /** The request that caused it; null when the service acted by itself, and for another account's review. */
  request: eventRequest.nullable(),
  /** `key_…` or `usr_…` that caused it, `acct_…` of another account, or `system`; another account's review has `system`. */
  actor: z.string(),
});
export type AccountEvent = z.output<typeof accountEvent>;

/** A position in an account's events: 0, or the sequence of an event. */
export const sequence = z
  .union(
    [
      z.int().min(0),
      z
        .string()
        .regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'out_of_range' })
        .transform(Number),
    ],
    {
      error: 'out_of_range',
    },
  )
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: 999_999_999_999_999,
    description: 'Answers events after this sequence, oldest first',
  });

export const listEvents = rpc('notification.listEvents', {
  summary: 'List events',
  description: 'Events of the last 90 days: newest first, or ascending from `after_sequence`.',
  kind: 'list',
  input: listQuery({
    type: several(EVENT_TYPES).optional(),
    object_id: text(64, 1).optional(),
    request_id: text(64, 1).optional(),
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
    after_sequence: sequence.optional(),
  }),
  output: accountEvent,
});

/** One of the account's events; `resource_not_found` once it is purged. */
export const getEvent = rpc('notification.getEvent', {
  summary: 'Get an event',
  description: 'One event, as it was listed and delivered.',
  kind: 'read',
  input: z.strictObject({ event_id: id('evt') }),
  output: accountEvent,
  errors: ['resource_not_found'],
});
