import { Inject, Injectable } from '@nestjs/common';
import { type ParsedOf, replayWebhookEvents } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { PeriodicPerEnvironment, type Sweep } from '@swim/mongo';
import { AppError, LOGGER, type Logger, type RequestContext, sharedClock, withPrefix } from '@swim/platform';
import { StoredEventsService } from '../events/stored-events.service.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';
import { type ReplayingEndpoint, WebhookTargetsService } from '../webhook-endpoints/webhook-targets.service.js';
import { newDelivery } from './delivery.mapper.js';
import { replayedTypes } from './delivery.rules.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';

const SWEEP_MS = 1_000;
const PAGE = 250;
/** So many pages of a replay are parked each second: that bounds its rate. */
const PAGES_AT_ONCE = 4;
const MOST_ENDPOINTS = 100;

/**
 * Replays: the deliveries of an endpoint's past events are parked page by page. How far a replay has come is stored with the
 * endpoint, so that any replica goes on after a crash; a page that is parked twice has each delivery once.
 */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly events: StoredEventsService,
    private readonly endpoints: WebhookEndpointsService,
    private readonly targets: WebhookTargetsService,
    private readonly deliveries: WebhookDeliveriesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Starts the replay of the events after a sequence; returns how many they are. */
  @Serve(replayWebhookEvents)
  async start(
    { webhook_endpoint_id: id, since_sequence: since, types }: ParsedOf<typeof replayWebhookEvents>,
    context: RequestContext,
  ): Promise<{ replayed: number }> {
    const { accountId } = context.principal;
    const earlier = await this.targets.findReplayed(context, id);
    if (earlier !== undefined) return { replayed: earlier };
    const endpoint = await this.endpoints.getEnabled(id, context);
    const through = await this.events.findLastSequence(accountId);
    if (since > through)
      throw new AppError('out_of_range', {
        field: 'since_sequence',
        details: { maximum: through },
        message: `since_sequence must be at most ${through}, the sequence of the newest event; you sent ${since}.`,
      });
    const selected = replayedTypes(endpoint.events, types);
    const replayed = await this.events.count({ account: accountId, after: since, through, types: selected });
    if (replayed === 0) return { replayed };
    const replay = { id: withPrefix('req', context.newId('req')), position: since, through, types: selected };
    if (!(await this.targets.startReplay(context, id, replay, replayed))) throw new AppError('replay_in_progress');
    return { replayed };
  }

  /** Goes on with all replays. */
  @PeriodicPerEnvironment('webhook replays', SWEEP_MS)
  async continueAll(sweep: Sweep): Promise<void> {
    const replaying = await this.targets.findReplaying(MOST_ENDPOINTS);
    await sweep.each(replaying, (endpoint) => this.continue(endpoint));
  }

  private async continue({ _id, accountId, replay }: ReplayingEndpoint): Promise<void> {
    let after = replay!.position;
    for (let page = 0; page < PAGES_AT_ONCE; page++) {
      const range = { account: accountId, after, through: replay!.through, types: replay!.types };
      const found = await this.events.findFirst(range, PAGE);
      const now = sharedClock.now();
      if (found.length > 0)
        await this.deliveries.replay(
          replay!.id,
          found.map((event) => newDelivery(event, _id, now)),
        );
      if (found.length < PAGE) {
        this.logger.info({ objectId: _id }, 'replay of events parked');
        return this.targets.moveReplay(_id, replay!, null);
      }
      after = found.at(-1)!.sequence;
      await this.targets.moveReplay(_id, replay!, after);
    }
  }
}
