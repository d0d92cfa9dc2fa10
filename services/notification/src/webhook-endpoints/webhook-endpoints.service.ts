import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  MOST_WEBHOOK_ENDPOINTS,
  type Page,
  type ParsedOf,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { changedMetadata, DataKeys } from '@swim/mongo';
import { AppError, type RequestContext, sharedClock, timeOfId } from '@swim/platform';
import { TargetGuard } from './target-guard.service.js';
import { toEndpointWithSecret, toWebhookEndpoint } from './webhook-endpoint.mapper.js';
import type { WebhookEndpointDocument } from './webhook-endpoint.schema.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { rotated, WebhookSecretsService } from './webhook-secrets.service.js';

type Changes = ParsedOf<typeof updateWebhookEndpoint>['changes'];

/** Use cases of webhook endpoints. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly targets: TargetGuard,
    private readonly keys: DataKeys,
  ) {}

  /** Makes an endpoint with a secret of its own. */
  @Serve(createWebhookEndpoint)
  async create(
    input: ParsedOf<typeof createWebhookEndpoint>,
    context: RequestContext,
  ): Promise<WebhookEndpointWithSecret> {
    const { accountId, env } = context.principal;
    await this.targets.check(env, input.url);
    const endpoint = { ...input, _id: context.newId('whe'), accountId, disabledReason: null };
    if (context.dryRun) {
      if (await this.endpoints.isFull(context)) throw limitReached();
      const createdAt = timeOfId(endpoint._id);
      return toEndpointWithSecret({ ...endpoint, createdAt, updatedAt: createdAt } as WebhookEndpointDocument, null);
    }
    const { stored } = await this.secrets.make(endpoint, context);
    const inserted = await this.endpoints.insert(context, { ...endpoint, secrets: [stored] });
    if (!inserted) throw limitReached();
    // A resumed run answers the secret that the first run stored.
    return toEndpointWithSecret(inserted, await this.secrets.madeBy(context, inserted));
  }

  @Serve(getWebhookEndpoint)
  async get(
    { webhook_endpoint_id: id }: ParsedOf<typeof getWebhookEndpoint>,
    context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return toWebhookEndpoint(await this.endpoints.get(context, id));
  }

  /** An endpoint that receives events; `invalid_state` when it is disabled. */
  async getEnabled(id: string, context: RequestContext): Promise<WebhookEndpoint> {
    const endpoint = await this.get({ webhook_endpoint_id: id }, context);
    if (endpoint.enabled) return endpoint;
    throw new AppError('invalid_state', { message: 'The endpoint is disabled. Enable it first.' });
  }

  @Serve(listWebhookEndpoints)
  async list(request: ParsedOf<typeof listWebhookEndpoints>, context: RequestContext): Promise<Page<WebhookEndpoint>> {
    const { items, pagination } = await this.endpoints.list(context, request);
    return { items: items.map(toWebhookEndpoint), pagination };
  }

  /** Changes an endpoint. A new URL is checked like that of a new endpoint. */
  @Serve(updateWebhookEndpoint)
  async update(
    { webhook_endpoint_id: id, changes }: ParsedOf<typeof updateWebhookEndpoint>,
    context: RequestContext,
  ): Promise<WebhookEndpoint> {
    const now = await this.endpoints.get(context, id);
    if (changes.url !== undefined) await this.targets.check(context.principal.env, changes.url);
    const set = changedFields(now, changes);
    if (context.dryRun) return toWebhookEndpoint({ ...now, ...set });
    const changed = await this.endpoints.change(context, id, (current) => {
      const differing = changedFields(current, changes);
      return Object.keys(differing).length === 0 ? null : { set: differing, answer: toWebhookEndpoint };
    });
    return (changed.earlierAnswer as WebhookEndpoint | undefined) ?? toWebhookEndpoint(changed.document);
  }

  /** Removes an endpoint. `resource_not_found` when the account has none of this id. */
  @Serve(removeWebhookEndpoint)
  async remove(
    { webhook_endpoint_id: id }: ParsedOf<typeof removeWebhookEndpoint>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    if (context.dryRun) await this.endpoints.get(context, id);
    else if (!(await this.endpoints.removeOwn(context, id)) && !(await this.endpoints.hasRemoved(context, id)))
      throw new AppError('resource_not_found');
    return {};
  }

  /** Makes a new secret; for 24 hours the former one signs beside it. */
  @Serve(rotateWebhookSecret)
  async rotate(
    { webhook_endpoint_id: id }: ParsedOf<typeof rotateWebhookSecret>,
    context: RequestContext,
  ): Promise<WebhookEndpointWithSecret> {
    const now = await this.endpoints.get(context, id);
    if (context.dryRun) return toEndpointWithSecret(now, null);
    const { stored } = await this.secrets.make(now, context);
    const { document } = await this.endpoints.change(context, id, ({ secrets }) => ({
      set: { secrets: rotated(secrets, stored, sharedClock.now()) },
      answer: () => null,
    }));
    return toEndpointWithSecret(document, await this.secrets.madeBy(context, document));
  }

  /** Removes the endpoints of an account made before an instant. Idempotent. */
  removeBefore(accountId: string, before: Date): Promise<void> {
    return this.endpoints.removeAllOf(accountId, before);
  }

  /** Removes the endpoints of an account that is being erased, and destroys the key of their secrets. Idempotent. */
  async eraseOf(accountId: string): Promise<void> {
    await this.endpoints.removeAllOf(accountId);
    await this.keys.destroy(accountId);
  }
}

const limitReached = () =>
  new AppError('limit_reached', {
    message: `An account has at most ${MOST_WEBHOOK_ENDPOINTS} webhook endpoints. Remove one first.`,
    details: { maximum: MOST_WEBHOOK_ENDPOINTS },
  });

type Changed = Partial<
  Pick<WebhookEndpointDocument, 'url' | 'events' | 'description' | 'enabled' | 'disabledReason' | 'days'>
>;

/** The fields that a request changes, without those that stay what they are. */
function changedFields(now: WebhookEndpointDocument, { metadata: merged, ...changes }: Changes): Changed {
  const isMoved = changes.url !== undefined && changes.url !== now.url;
  const requested = {
    ...changes,
    ...(changes.enabled ? { disabledReason: null } : {}),
    ...(changes.enabled || isMoved ? { days: null } : {}),
    ...(merged === undefined ? {} : { metadata: changedMetadata(now.metadata, merged) }),
  };
  const differing = Object.entries(requested).filter(
    ([name, value]) =>
      value !== undefined && !isDeepStrictEqual(value, now[name as keyof WebhookEndpointDocument] ?? null),
  );
  return Object.fromEntries(differing);
}
