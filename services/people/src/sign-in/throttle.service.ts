import { Inject, Injectable } from '@nestjs/common';
import { AppError, CONFIG, type RequestContext } from '@swim/platform';
import type { Config } from '../config.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { SignInCountsRepository } from './sign-in-counts.repository.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Passwords and codes of one user from all networks within a clock hour: more than one person mistypes. */
const TRIES_PER_HOUR = 100;
/** Mails to one address within a day: of sign-ups, of resets, of invitations each. */
const MAILS_PER_DAY = 5;
/** Invitations of an account within a day, and of one of which nobody has accepted any. */
const INVITATIONS_PER_DAY = 500;
const INVITATIONS_OF_ONE_USER_PER_DAY = 20;

/** What is counted. */
type Counted = 'sign_in' | 'code' | 'password' | 'sign_up' | 'password_reset' | 'invitation';

/** Limits attempts to sign in and to have mails sent, over all replicas. Known and unknown addresses count alike. */
@Injectable()
export class ThrottleService {
  constructor(
    private readonly counts: SignInCountsRepository,
    private readonly texts: UserTextsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts an attempt, by whom (an address' token, a user's id) and by network. Throws `sign_in_attempts` when there were too
   * many within this clock minute or hour.
   */
  async countTry(what: Counted, whom: string, context: Pick<RequestContext, 'network'>): Promise<void> {
    await this.countNetwork(context);
    await this.require(`${what}:${whom}`, this.config.SIGN_IN_PER_MINUTE, MINUTE_MS);
    await this.require(`${what}:${whom}`, TRIES_PER_HOUR, HOUR_MS);
  }

  /** Counts an attempt of a network. Throws `sign_in_attempts`. */
  async countNetwork({ network }: Pick<RequestContext, 'network'>): Promise<void> {
    const token = await this.texts.tokenOf('network', network ?? 'unknown');
    await this.require(`network:${token}`, this.config.SIGN_IN_PER_NETWORK_PER_MINUTE, MINUTE_MS);
  }

  /** Whether one more mail may be sent to an address today. */
  async mayMail(what: Counted, emailToken: string): Promise<boolean> {
    return (await this.take(`mail:${what}:${emailToken}`, MAILS_PER_DAY, DAY_MS)) === null;
  }

  /** Counts an invitation of an account, which strangers receive. Throws `sign_in_attempts`. */
  async countInvitation(accountId: string, wasOneAccepted: boolean): Promise<void> {
    const limit = wasOneAccepted ? INVITATIONS_PER_DAY : INVITATIONS_OF_ONE_USER_PER_DAY;
    await this.require(`invitations:${accountId}`, limit, DAY_MS);
  }

  private async require(id: string, limit: number, windowMs: number): Promise<void> {
    const waitMs = await this.take(id, limit, windowMs);
    if (waitMs !== null) throw new AppError('sign_in_attempts', { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
  }

  /** Counts one; null, or how long until the window ends that is full. */
  private async take(id: string, limit: number, windowMs: number): Promise<number | null> {
    const nowMs = this.counts.now().getTime();
    const window = Math.floor(nowMs / windowMs);
    const endMs = (window + 1) * windowMs;
    return (await this.counts.take(`${id}:${windowMs}:${window}`, limit, new Date(endMs))) ? null : endMs - nowMs;
  }
}
