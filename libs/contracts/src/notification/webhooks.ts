import { z } from 'zod';
import { addsReasons, distinct, expects, id, idText, instantText, patch, text } from '../formats/formats.js';
import { changingFilters, listQuery } from '../formats/list-query.js';
import { metadata, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { EVENT_TYPES, event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

/** The most webhook endpoints of an account and environment (contract, Events and webhooks). */
export const MOST_WEBHOOK_ENDPOINTS = 16;

/** What an endpoint receives: types of event, or `*` for all. */
const eventFilter = z.enum(['*', ...EVENT_TYPES], { error: 'invalid_value' }).meta({ title: 'EventFilter' });

/** Why the service disabled an endpoint: it answered 410, or it failed for five days in a row. */
export const WEBHOOK_DISABLED_REASONS = ['gone', 'failing'] as const;

/** A webhook endpoint as every operation returns it. Its secret is in `webhookEndpointWithSecret` alone. */
export const webhookEndpoint = apiObject('webhook_endpoint', {
  id: idText('whe'),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.enum(WEBHOOK_DISABLED_REASONS).nullable().meta({
    description:
      'Why the service disabled it: `gone` after an answer of 410, `failing` after five days in a row on each of which tries failed and none succeeded. Null otherwise',
  }),
  metadata: z.record(z.string(), z.string()),
  created_at: instantText,
  updated_at: instantText,
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** An endpoint with the secret that signs its deliveries from now on; a dry run has none. */
export const webhookEndpointWithSecret = webhookEndpoint.extend({
  secret: z
    .string()
    .nullable()
    .meta({
      description: '`whsec_` and 32 bytes in base64. Shown this once; null in a dry run',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
    }),
});
export type WebhookEndpointWithSecret = z.output<typeof webhookEndpointWithSecret>;

const HTTP_URL = /^https?:\/\//i;

/**
 * An absolute http or https URL without user and password. What it may lead to is decided by the service: `https_required`,
 * `forbidden_target`.
 */
const targetUrl = z
  .string()
  .max(2_048, { error: 'too_long', abort: true })
  .superRefine((value, context) => {
    if (!HTTP_URL.test(value) || !URL.canParse(value) || /[\s\p{Cc}]/u.test(value)) {
      context.addIssue({ code: 'custom', message: 'invalid_format', input: value });
      return;
    }
    const { username, password } = new URL(value);
    if (username !== '' || password !== '')
      context.addIssue({ code: 'custom', message: 'credentials_in_url', input: value });
  })
  .meta({
    ...addsReasons('invalid_format', 'credentials_in_url'),
    ...expects('an absolute URL with http or https, such as https://example.com/webhooks'),
    format: 'uri',
    pattern: '^[hH][tT][tT][pP][sS]?://',
    description: 'Where events are posted; https for live data',
    examples: ['https://example.com/webhooks'],
  });

const fields = {
  url: targetUrl,
  events: distinct(
    z
      .array(eventFilter)
      .min(1)
      .max(EVENT_TYPES.length + 1, { abort: true }),
  ).meta({ description: 'Types of event that are delivered; `*` for all', examples: [['booking.created']] }),
  description: text(500).nullable(),
  enabled: z.boolean(),
};

const ofEndpoint = { webhook_endpoint_id: id('whe') };
const TARGET = ['https_required', 'forbidden_target'] as const;

/** Makes an endpoint, the 17th of which is rejected. It receives the events that are numbered from now on. */
export const createWebhookEndpoint = rpc('notification.createWebhookEndpoint', {
  summary: 'Create a webhook endpoint',
  description: 'Events are delivered to its URL, signed as Standard Webhooks 1.0 define. The secret is shown once.',
  kind: 'write',
  input: z.strictObject({
    url: fields.url,
    events: fields.events.default(['*']),
    description: fields.description.default(null),
    enabled: fields.enabled.default(true),
    metadata: metadata.default({}),
  }),
  output: webhookEndpointWithSecret,
  errors: [...TARGET, 'limit_reached', 'resource_not_found'],
});

export const listWebhookEndpoints = rpc('notification.listWebhookEndpoints', {
  summary: 'List webhook endpoints',
  description: 'The webhook endpoints of the account, newest first, without their secrets.',
  kind: 'list',
  input: listQuery(changingFilters('whe')),
  output: webhookEndpoint,
});

export const getWebhookEndpoint = rpc('notification.getWebhookEndpoint', {
  summary: 'Get a webhook endpoint',
  description: 'A webhook endpoint without its secret.',
  kind: 'read',
  input: z.strictObject(ofEndpoint),
  output: webhookEndpoint,
  errors: ['resource_not_found'],
});

export const updateWebhookEndpoint = rpc('notification.updateWebhookEndpoint', {
  summary: 'Update a webhook endpoint',
  description: 'Changes the fields that are sent. `enabled: true` enables one that the service disabled.',
  kind: 'write',
  reads: getWebhookEndpoint,
  input: z.strictObject({ ...ofEndpoint, changes: patch({ ...fields, metadata: metadataPatch }) }),
  output: webhookEndpoint,
  errors: ['resource_not_found', ...TARGET, 'too_long', 'change_in_progress'],
});

export const removeWebhookEndpoint = rpc('notification.removeWebhookEndpoint', {
  summary: 'Remove a webhook endpoint',
  description: 'Ends deliveries to it.',
  kind: 'write',
  input: z.strictObject(ofEndpoint),
  output: z.object({}),
  errors: ['resource_not_found'],
});

export const rotateWebhookSecret = rpc('notification.rotateWebhookSecret', {
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'The old secret signs beside the new one for 24 hours. The new one is shown once.',
  kind: 'write',
  input: z.strictObject(ofEndpoint),
  output: webhookEndpointWithSecret,
  errors: ['resource_not_found', 'change_in_progress'],
});

/** The service disabled an endpoint. Without the texts that its account wrote. */
export const webhookEndpointDisabled = event(
  'notification',
  'webhook_endpoint.disabled',
  webhookEndpoint.omit({ description: true, metadata: true }),
);
