import { Inject, Injectable } from '@nestjs/common';
import type { AccountEvent, listEvents, Page, ParsedOf } from '@swim/contracts';
import { type Call, type Delivery, LOGGER, TooEarly } from '@swim/messaging';
import type { Logger } from '@swim/platform';
import { config } from '../config.js';
import { toAccountEvent } from './event.mapper.js';
import { areAllStored, audienceOf } from './event.rules.js';
import { EventsRepository } from './events.repository.js';
import type { IncomingEvent } from './incoming-event.js';
import { NumberingService } from './numbering.service.js';
import { PassedObjectsRepository } from './passed-objects.repository.js';
import { Recent } from './recent.js';

const REMEMBERED_OBJECTS = 20_000;

/** The story of an account's events: each is stored once for each account that may see the object, and listed. */
@Injectable()
export class EventsService {
  /** Object → ordinal of the newest event that this process has stored. */
  private readonly heard = new Recent<number>(REMEMBERED_OBJECTS);

  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly numbering: NumberingService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The caller's events (contract, Events and webhooks). */
  async list(query: ParsedOf<typeof listEvents>, call: Call): Promise<Page<AccountEvent>> {
    const { env, accountId } = call.principal;
    const page = await this.events.list({ env, accountId }, query);
    return { ...page, items: page.items.map((document) => toAccountEvent(document, env)) };
  }

  /**
   * Gives each account of the audience its own copy. Heard again it changes nothing; throws TooEarly while the event before
   * it, of the same object, is not stored for everybody.
   */
  async hear(event: IncomingEvent, delivery: Delivery): Promise<void> {
    await this.awaitTurn(event, delivery);
    const accounts = audienceOf(event);
    if (accounts.length === 0) await this.passed.mark(event.env, [event]);
    await Promise.all(accounts.map((account) => this.numbering.store(event, account, accounts.length)));
    this.heard.set(`${event.env}|${event.objectId}`, event.n);
  }

  private async awaitTurn(event: IncomingEvent, { attempt }: Delivery): Promise<void> {
    if (event.n === 1 || (await this.isHeard(event, event.n - 1))) return;
    const { id: eventId, type: eventType, objectId, env } = event;
    if (attempt < config.EVENT_ORDER_ATTEMPTS)
      throw new TooEarly(`Event ${event.n} of ${objectId} came before the one before it.`);
    this.logger.error(
      { eventId, eventType, objectId, env, attempt },
      'event stored although the one before it never came',
    );
  }

  private async isHeard({ env, objectId }: IncomingEvent, n: number): Promise<boolean> {
    if ((this.heard.get(`${env}|${objectId}`) ?? 0) >= n) return true;
    if (areAllStored(await this.events.findCopies(env, objectId, n))) return true;
    return this.passed.isPassed(env, objectId, n);
  }
}
