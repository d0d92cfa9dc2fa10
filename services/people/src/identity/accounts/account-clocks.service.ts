import { Inject, Injectable } from '@nestjs/common';
import { type InstructorHours, zoneNamed } from '@swim/contracts';
import { shownDate } from '@swim/mongo';
import {
  accountTime,
  Clock,
  clockOffsetIn,
  currentEnvironment,
  LOGGER,
  type Logger,
  type RequestContext,
} from '@swim/platform';
import { AccountsRepository } from './accounts.repository.js';

/** The clocks of test accounts. Nothing is cached: an advance that has answered counts for every request after it. */
@Injectable()
export class AccountClocksService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The offset in ms of each of these accounts' clocks that was advanced; none in live, where no clock is read. */
  async offsetsOf(accountIds: readonly string[]): Promise<Map<string, number>> {
    if (currentEnvironment() === 'live') return new Map();
    const accounts = await this.accounts.findAll(accountIds);
    return new Map(accounts.flatMap(({ _id, clock }) => (clock ? [[_id, clock.offsetMs]] : [])));
  }

  /** The offset in ms of the latest of these accounts' clocks; 0 without one. */
  async latestOffset(accountIds: readonly string[]): Promise<number> {
    return Math.max(0, ...(await this.offsetsOf(accountIds)).values());
  }

  /** Now for a decision of the requesting account, about what it shares with these accounts. */
  async now({ principal: { env, accountId } }: RequestContext, others: readonly string[] = []): Promise<Date> {
    return accountTime(this.clock, env, await this.latestOffset([accountId, ...others]));
  }

  /** An instant of real time by the clock of the requesting account. */
  async shown(instant: Date, { principal: { accountId } }: RequestContext): Promise<Date> {
    return shownDate({ clockOffsetMs: await this.latestOffset([accountId]) }, instant);
  }

  /** Now of each of these accounts whose clock is ahead of the requesting account's; none in live, where no clock is read. */
  async laterThanOwn(
    { principal: { env, accountId } }: RequestContext,
    others: readonly string[],
  ): Promise<Map<string, Date>> {
    const offsets = await this.offsetsOf([accountId, ...others]);
    const ahead = [...offsets].filter(([, offsetMs]) => offsetMs > (offsets.get(accountId) ?? 0));
    return new Map(ahead.map(([id, offsetMs]) => [id, accountTime(this.clock, env, offsetMs)]));
  }

  /**
   * The hours of instructors, each with the later clock of the requesting account and the school; without those of a stored zone
   * by which nothing can be computed.
   */
  async withLaterClocks(
    hours: readonly (InstructorHours & { schoolId: string; poolIds: string[] })[],
    { principal: { env, accountId } }: RequestContext,
  ): Promise<InstructorHours[]> {
    const offsets = await this.offsetsOf([accountId, ...hours.map(({ schoolId }) => schoolId)]);
    return hours.flatMap(({ id, timezone, schedule, schoolId, poolIds }) => {
      if (zoneNamed(timezone) === null) {
        this.logger.error({ objectId: id, env }, 'an instructor is left out: the stored time zone is none; PATCH it');
        return [];
      }
      const offsetMs = Math.max(offsets.get(accountId) ?? 0, offsets.get(schoolId) ?? 0);
      const pools = poolIds.length > 0 ? { schoolId, poolIds } : {};
      return [{ id, timezone, schedule, ...pools, ...clockOffsetIn(env, offsetMs) }];
    });
  }
}
