import { Controller } from '@nestjs/common';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  type Page,
  type ParsedOf,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** Operations on webhook endpoints. */
@Controller()
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Serve(createWebhookEndpoint)
  create(input: ParsedOf<typeof createWebhookEndpoint>, context: RequestContext): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(input, context);
  }

  @Serve(listWebhookEndpoints)
  list(query: ParsedOf<typeof listWebhookEndpoints>, context: RequestContext): Promise<Page<WebhookEndpoint>> {
    return this.endpoints.list(query, context);
  }

  @Serve(getWebhookEndpoint)
  get({ webhook_endpoint_id }: ParsedOf<typeof getWebhookEndpoint>, context: RequestContext): Promise<WebhookEndpoint> {
    return this.endpoints.get(webhook_endpoint_id, context);
  }

  @Serve(updateWebhookEndpoint)
  update(
    { webhook_endpoint_id, changes }: ParsedOf<typeof updateWebhookEndpoint>,
    context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return this.endpoints.update(webhook_endpoint_id, changes, context);
  }

  @Serve(removeWebhookEndpoint)
  remove(
    { webhook_endpoint_id }: ParsedOf<typeof removeWebhookEndpoint>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    return this.endpoints.remove(webhook_endpoint_id, context);
  }

  @Serve(rotateWebhookSecret)
  rotate(
    { webhook_endpoint_id }: ParsedOf<typeof rotateWebhookSecret>,
    context: RequestContext,
  ): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotate(webhook_endpoint_id, context);
  }
}
