import { Controller } from '@nestjs/common';
import {
  getWebhookDelivery,
  listOwnWebhookDeliveries,
  listWebhookDeliveries,
  type OutputOf,
  type Page,
  type ParsedOf,
  pingWebhookEndpoint,
  replayWebhookEvents,
  retryWebhookDelivery,
  type WebhookDelivery,
  type WebhookDeliveryWithRequest,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ReplaysService } from './replays.service.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

/** Operations on the deliveries of webhook endpoints. */
@Controller()
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly replays: ReplaysService,
  ) {}

  @Serve(pingWebhookEndpoint)
  ping(input: ParsedOf<typeof pingWebhookEndpoint>, context: RequestContext): Promise<WebhookDelivery> {
    return this.deliveries.ping(input.webhook_endpoint_id, context);
  }

  @Serve(listWebhookDeliveries)
  list(query: ParsedOf<typeof listWebhookDeliveries>, context: RequestContext): Promise<Page<WebhookDelivery>> {
    return this.deliveries.list(query, context);
  }

  @Serve(listOwnWebhookDeliveries)
  listOwn(query: ParsedOf<typeof listOwnWebhookDeliveries>, context: RequestContext): Promise<Page<WebhookDelivery>> {
    return this.deliveries.listOwn(query, context);
  }

  @Serve(getWebhookDelivery)
  get(
    { webhook_endpoint_id, webhook_delivery_id }: ParsedOf<typeof getWebhookDelivery>,
    context: RequestContext,
  ): Promise<WebhookDeliveryWithRequest> {
    return this.deliveries.get(webhook_endpoint_id, webhook_delivery_id, context);
  }

  @Serve(retryWebhookDelivery)
  retry(
    { webhook_endpoint_id, webhook_delivery_id }: ParsedOf<typeof retryWebhookDelivery>,
    context: RequestContext,
  ): Promise<WebhookDelivery> {
    return this.deliveries.retry(webhook_endpoint_id, webhook_delivery_id, context);
  }

  @Serve(replayWebhookEvents)
  replay(
    input: ParsedOf<typeof replayWebhookEvents>,
    context: RequestContext,
  ): Promise<OutputOf<typeof replayWebhookEvents>> {
    return this.replays.start(input, context);
  }
}
