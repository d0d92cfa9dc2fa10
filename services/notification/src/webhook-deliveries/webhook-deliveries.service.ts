import { Injectable } from '@nestjs/common';
import {
  type AccountEvent,
  accountEvent,
  EVENT_API_VERSION,
  getWebhookDelivery,
  grants,
  listOwnWebhookDeliveries,
  listWebhookDeliveries,
  objectKindOf,
  type Page,
  type ParsedOf,
  pingWebhookEndpoint,
  retryWebhookDelivery,
  type WebhookDelivery,
  type WebhookDeliveryWithRequest,
  type WebhookEndpoint,
  withKinds,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { answerIn } from '@swim/mongo';
import { AppError, type RequestContext, sharedClock, withPrefix } from '@swim/platform';
import { StoredEventsService } from '../events/stored-events.service.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import { WebhookSecretsService } from '../webhook-endpoints/webhook-secrets.service.js';
import { newDelivery, toWebhookDelivery } from './delivery.mapper.js';
import { MOST_TRIES } from './delivery.rules.js';
import { DeliveryClaimsService } from './delivery-claims.service.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type { WebhookDeliveryDocument } from './webhook-delivery.schema.js';

const MOST_REQUEST_CHARACTERS = 16 * 1024;

/** Use cases of the deliveries of an account. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly events: StoredEventsService,
    private readonly secrets: WebhookSecretsService,
    private readonly claims: DeliveryClaimsService,
  ) {}

  /** Delivers a `ping` to an endpoint. `invalid_state` when it is disabled. */
  @Serve(pingWebhookEndpoint)
  async ping(
    { webhook_endpoint_id: endpointId }: ParsedOf<typeof pingWebhookEndpoint>,
    context: RequestContext,
  ): Promise<WebhookDelivery> {
    const { env, accountId } = context.principal;
    const now = sharedClock.now();
    const eventId = withPrefix('evt', context.newId('dlv'));
    const event = { id: eventId, account: accountId, type: 'ping' };
    const id = newDelivery(event, endpointId, now)._id;
    // An earlier run of the request may have made it, and the endpoint may be disabled since.
    const earlier = await this.deliveries.find({ env, accountId }, endpointId, id);
    if (earlier) return this.toApi(earlier);
    const endpoint = await this.endpoints.getEnabled(endpointId, context);
    const body = JSON.stringify(withKinds(accountEvent, pingOf(event, endpoint, now, context)));
    const document = { ...newDelivery(event, endpointId, now), body, dueAt: now };
    if (context.dryRun) return this.toApi(document);
    await this.deliveries.insertNew([document]);
    this.wake();
    return this.toApi((await this.deliveries.find({ env, accountId }, endpointId, document._id)) ?? document);
  }

  /** The deliveries of an endpoint, newest first. */
  @Serve(listWebhookDeliveries)
  async list(query: ParsedOf<typeof listWebhookDeliveries>, context: RequestContext): Promise<Page<WebhookDelivery>> {
    await this.endpoints.get(query, context);
    return this.pageToApi(await this.deliveries.list(context.principal, query));
  }

  /** All deliveries of the account, newest first. */
  @Serve(listOwnWebhookDeliveries)
  async listOwn(
    request: ParsedOf<typeof listOwnWebhookDeliveries>,
    context: RequestContext,
  ): Promise<Page<WebhookDelivery>> {
    return this.pageToApi(await this.deliveries.listOwn(context.principal, request));
  }

  /** One delivery; with the body of its requests, which is an event, for those who may read events. */
  @Serve(getWebhookDelivery)
  async get(
    { webhook_endpoint_id: endpointId, webhook_delivery_id: id }: ParsedOf<typeof getWebhookDelivery>,
    context: RequestContext,
  ): Promise<WebhookDeliveryWithRequest> {
    const { scopes } = context.principal;
    const found = await this.getOwn(endpointId, id, context);
    const shown = await this.toApi(found);
    if (!grants(scopes, 'events:read')) return { ...shown, request_body: null };
    const body = found.body ?? (await this.events.findContents([found.eventId])).get(found.eventId)?.body;
    return { ...shown, request_body: body?.slice(0, MOST_REQUEST_CHARACTERS) ?? null };
  }

  /** Tries a delivery now. `invalid_state` when its endpoint is disabled. */
  @Serve(retryWebhookDelivery)
  async retry(
    { webhook_endpoint_id: endpointId, webhook_delivery_id: id }: ParsedOf<typeof retryWebhookDelivery>,
    context: RequestContext,
  ): Promise<WebhookDelivery> {
    const known = await this.deliveries.find(context.principal, endpointId, id);
    if (known && answerIn(known, context) !== undefined) return this.toApi(known);
    await this.endpoints.getEnabled(endpointId, context);
    const found = await this.getOwn(endpointId, id, context);
    if (context.dryRun) return this.toApi(found);
    // A finished one gets one try; a pending one keeps those that it has left.
    const tries = found.status === 'pending' ? found.tries : MOST_TRIES - 1;
    await this.deliveries.makeDue(context, id, sharedClock.now(), tries);
    this.wake();
    return this.toApi(await this.getOwn(endpointId, id, context));
  }

  // Without it the next sweep would send the delivery.
  private wake(): void {
    void this.claims.claimDue().catch(() => undefined);
  }

  private async getOwn(endpointId: string, id: string, { principal }: RequestContext) {
    const found = await this.deliveries.find(principal, endpointId, id);
    if (!found) throw new AppError('resource_not_found');
    return found;
  }

  private async pageToApi({ items, pagination }: Page<WebhookDeliveryDocument>): Promise<Page<WebhookDelivery>> {
    return { items: await Promise.all(items.map((item) => this.toApi(item))), pagination };
  }

  private async toApi(document: WebhookDeliveryDocument): Promise<WebhookDelivery> {
    const open = await this.secrets.openerOf(document);
    return toWebhookDelivery(document, open);
  }
}

/** The event of a ping: that of a change of the endpoint, without a sequence, since it is not listed. */
function pingOf(
  { id, account }: { id: string; account: string },
  endpoint: WebhookEndpoint,
  now: Date,
  { principal: { env, keyId }, requestId, idempotencyKey }: RequestContext,
): Omit<AccountEvent, 'sequence'> {
  const { description: _, metadata: __, ...object } = endpoint;
  return {
    id,
    type: 'ping',
    timestamp: now.toISOString(),
    account_id: account,
    api_version: EVENT_API_VERSION,
    livemode: env === 'live',
    data: { object: { object: objectKindOf('ping'), ...object }, previous_attributes: null },
    request: { id: requestId, idempotency_key: idempotencyKey },
    actor: keyId,
  };
}
