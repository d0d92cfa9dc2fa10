import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@swim/contracts';
import type { WebhookEndpointDocument } from './webhook-endpoint.schema.js';

/** The fields of an endpoint that the API shows. */
export type ShownEndpoint = Omit<WebhookEndpointDocument, 'secrets' | 'slot' | 'accountId' | 'readers'>;

/** Maps the endpoint to the API's JSON. */
export function toWebhookEndpoint(document: Pick<ShownEndpoint, keyof ShownEndpoint & string>): WebhookEndpoint {
  return {
    id: document._id,
    url: document.url,
    events: [...document.events],
    description: document.description ?? null,
    enabled: document.enabled,
    disabled_reason: document.disabledReason ?? null,
    metadata: document.metadata,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

/** Maps the endpoint and its secret to the API's JSON. */
export const toEndpointWithSecret = (document: ShownEndpoint, secret: string | null): WebhookEndpointWithSecret => ({
  ...toWebhookEndpoint(document),
  secret,
});
