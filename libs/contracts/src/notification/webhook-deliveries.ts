import { z } from 'zod';
import { id, idText, instantText, orRequired } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { EVENT_TYPES } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

/** `pending` until it succeeds, or until its last try has failed. */
export const WEBHOOK_DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

/** One try of a delivery. */
const webhookAttempt = z.object({
  at: instantText,
  status_code: z.int().nullable().meta({ description: 'Null when no answer came' }),
  duration_ms: z.int(),
  error: z.string().nullable().meta({ description: 'Why the try failed; null after an answer of 2xx' }),
  response_body: z.string().nullable().meta({ description: 'At most the first 16 KiB of the answer' }),
});

/** The delivery of an event to an endpoint: kept for 30 days, with its latest tries. */
export const webhookDelivery = apiObject('webhook_delivery', {
  id: idText('dlv'),
  webhook_endpoint_id: idText('whe'),
  event_id: idText('evt'),
  type: z.string(),
  status: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.array(webhookAttempt).meta({ description: 'Oldest first' }),
  next_attempt_at: instantText.nullable().meta({ description: 'When the next try is due; null when none is' }),
  created_at: instantText,
  updated_at: instantText.meta({
    description: 'When it was made, its latest try was recorded, or it was made due again',
  }),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** A delivery with the body that every try of it sends. */
export const webhookDeliveryWithRequest = webhookDelivery.extend({
  request_body: z.string().nullable().meta({
    description: 'At most the first 16 KiB; null when the event is no longer kept, and without the scope `events:read`',
  }),
});
export type WebhookDeliveryWithRequest = z.output<typeof webhookDeliveryWithRequest>;

const ofEndpoint = { webhook_endpoint_id: id('whe') };
const ofDelivery = { ...ofEndpoint, webhook_delivery_id: id('dlv') };

export const pingWebhookEndpoint = rpc('notification.pingWebhookEndpoint', {
  summary: 'Send a test event',
  description: 'Delivers an event `ping` to the endpoint; it is in no list of events.',
  kind: 'write',
  input: z.strictObject(ofEndpoint),
  output: webhookDelivery,
  errors: ['resource_not_found', 'invalid_state'],
});

export const listWebhookDeliveries = rpc('notification.listWebhookDeliveries', {
  summary: 'List deliveries of a webhook endpoint',
  description: 'Deliveries, newest first, with each attempt and the response to it.',
  kind: 'list',
  input: listQuery({
    ...ofEndpoint,
    status: several(WEBHOOK_DELIVERY_STATES).optional(),
    ...changingFilters('dlv'),
  }),
  output: webhookDelivery,
  errors: ['resource_not_found'],
});

export const getWebhookDelivery = rpc('notification.getWebhookDelivery', {
  summary: 'Get a delivery',
  description: 'A delivery with each attempt and the response to it.',
  kind: 'read',
  input: z.strictObject(ofDelivery),
  output: webhookDeliveryWithRequest,
  errors: ['resource_not_found'],
});

/**
 * Tries a delivery now. A pending one goes on with its remaining tries; a finished one gets this try alone. While a try is in
 * progress it answers the delivery as it is.
 */
export const retryWebhookDelivery = rpc('notification.retryWebhookDelivery', {
  summary: 'Retry a delivery',
  description: 'Sends it again at once.',
  kind: 'write',
  input: z.strictObject(ofDelivery),
  output: webhookDelivery,
  errors: ['resource_not_found', 'invalid_state'],
});

/**
 * Delivers once more the events after a sequence that the endpoint receives: of these types, by default of all that it
 * receives. New events come first. One replay of an endpoint at a time.
 */
export const replayWebhookEvents = rpc('notification.replayWebhookEvents', {
  summary: 'Replay events',
  description: 'Delivers the events after a sequence again, in their order.',
  kind: 'write',
  input: z.strictObject({
    ...ofEndpoint,
    since_sequence: z
      .int(orRequired)
      .min(0, { error: 'too_small' })
      .meta({ description: 'Events after this sequence are delivered; at most that of the newest event' }),
    types: z
      .array(z.enum(EVENT_TYPES, { error: 'invalid_value' }))
      .min(1)
      .max(EVENT_TYPES.length)
      .optional(),
  }),
  output: z.object({
    replayed: z.int().meta({ description: 'How many events are delivered again' }),
  }),
  errors: ['resource_not_found', 'out_of_range', 'invalid_state', 'replay_in_progress', 'change_in_progress'],
});

/** All deliveries of the account, as its export has them. */
export const listOwnWebhookDeliveries = rpc('notification.listOwnWebhookDeliveries', {
  kind: 'list',
  input: listQuery({}),
  output: webhookDelivery,
});
