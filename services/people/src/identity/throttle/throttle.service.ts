import { Inject, Injectable } from '@nestjs/common';
import { AppError, CONFIG, type RequestContext } from '@swim/platform';
import type { Config } from '../../config.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { SignInCountsRepository } from './sign-in-counts.repository.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
/** Passwords and codes of one user from all networks within a clock hour: more than one person mistypes. */
const TRIES_PER_HOUR = 100;
/** Mails of a kind to one address within these times. */
export const MOST_MAILS = 5;
// Links that are valid for an hour may be sent each hour: requests for somebody else's address do not invalidate the latest of them.
const MAILS_WITHIN_MS = {
  sign_up: DAY_MS,
  invitation: DAY_MS,
  claim: DAY_MS,
  password_reset: HOUR_MS,
  sign_in: HOUR_MS,
};
/** Links to sign in are for those who are kept from it by others: their network is limited to so many times as many. */
const LINKS_PER_TRY = 10;
/** Invitations of an account within a day, and of one of which nobody has accepted any. */
const INVITATIONS_PER_DAY = 500;
const INVITATIONS_OF_ONE_USER_PER_DAY = 20;

/** Limits attempts to sign in and to have mails sent, over all replicas. Known and unknown addresses count alike. */
@Injectable()
export class ThrottleService {
  constructor(
    private readonly counts: SignInCountsRepository,
    private readonly texts: UserTextsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a password for an address: by the browser, where its user has signed in before; else by the address and the network.
   * Throws `sign_in_attempts`.
   */
  async countSignIn(
    emailToken: string,
    device: string | null,
    context: Pick<RequestContext, 'network'>,
  ): Promise<void> {
    if (device === null) await this.countNetwork(context);
    await this.countTry('sign_in', device ?? emailToken);
  }

  /** Counts an attempt. Throws `sign_in_attempts` when there were too many within this clock minute or hour. */
  async countTry(what: 'sign_in' | 'code', whom: string): Promise<void> {
    await this.require(`${what}:${whom}`, this.config.SIGN_IN_PER_MINUTE, MINUTE_MS);
    await this.require(`${what}:${whom}`, TRIES_PER_HOUR, HOUR_MS);
  }

  /** Counts an attempt of a network. Throws `sign_in_attempts`. */
  async countNetwork({ network }: Pick<RequestContext, 'network'>, what: 'try' | 'link' = 'try'): Promise<void> {
    const token = await this.texts.tokenOf('network', network ?? 'unknown');
    const limit = this.config.SIGN_IN_PER_NETWORK_PER_MINUTE * (what === 'link' ? LINKS_PER_TRY : 1);
    await this.require(`network:${what}:${token}`, limit, MINUTE_MS);
  }

  /** Whether one more mail may be sent to an address now; a dry run counts none. */
  async mayMail(what: keyof typeof MAILS_WITHIN_MS, emailToken: string, dryRun = false): Promise<boolean> {
    return this.mayTake(`mail:${what}:${emailToken}`, MOST_MAILS, { windowMs: MAILS_WITHIN_MS[what], dryRun });
  }

  /** Counts a code that is entered in a browser in which the user has signed in before; false when there were `limit` before it. */
  async countCodeOf(device: string, limit: number): Promise<boolean> {
    return (await this.take(`second_step:${device}`, limit, YEAR_MS)) === null;
  }

  /** Counts an invitation of an account, which strangers receive. Throws `sign_in_attempts`. */
  async countInvitation(accountId: string, wasOneAccepted: boolean): Promise<void> {
    const limit = wasOneAccepted ? INVITATIONS_PER_DAY : INVITATIONS_OF_ONE_USER_PER_DAY;
    await this.require(`invitations:${accountId}`, limit, DAY_MS);
  }

  /** Counts an invitation of a school's family, whose address may be a stranger's; false when it has sent as many within this day. */
  async countFamilyInvitation(
    schoolId: string,
    limit: number,
    { dryRun, principal }: RequestContext,
  ): Promise<boolean> {
    return this.mayTake(`families:${principal.env}:${schoolId}`, limit, { windowMs: DAY_MS, dryRun });
  }

  private async mayTake(
    id: string,
    limit: number,
    { windowMs, dryRun }: { windowMs: number; dryRun: boolean },
  ): Promise<boolean> {
    if (!dryRun) return (await this.take(id, limit, windowMs)) === null;
    return (await this.counts.countOf(this.windowOf(id, windowMs).name)) < limit;
  }

  private async require(id: string, limit: number, windowMs: number): Promise<void> {
    const waitMs = await this.take(id, limit, windowMs);
    if (waitMs !== null) throw new AppError('sign_in_attempts', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  }

  /** Counts one; null, or how long until the window ends that is full. */
  private async take(id: string, limit: number, windowMs: number): Promise<number | null> {
    const { name, nowMs, endMs } = this.windowOf(id, windowMs);
    return (await this.counts.take(name, limit, new Date(endMs))) ? null : endMs - nowMs;
  }

  private windowOf(id: string, windowMs: number): { name: string; nowMs: number; endMs: number } {
    const nowMs = this.counts.now().getTime();
    const window = Math.floor(nowMs / windowMs);
    return { name: `${id}:${windowMs}:${window}`, nowMs, endMs: (window + 1) * windowMs };
  }
}
