import { Inject, Injectable } from '@nestjs/common';
import { type Environment, type issueEmailConfirmation, type OutputOf, sendEmailConfirmation } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import {
  AppError,
  Clock,
  CONFIG,
  currentEnvironment,
  inEnvironment,
  type RequestContext,
  SignedTokens,
  sharedClock,
  systemContext,
} from '@swim/platform';
import type { Config } from '../../config.js';
import { MOST_CONFIRMATIONS, mayRequestLink } from './account.rules.js';
import type { AccountDocument } from './account.schema.js';
import { AccountsRepository } from './accounts.repository.js';

const DAY_MS = 86_400_000;
const VALID_MS = 3 * DAY_MS;

/** What a change of the address makes of the pending one: another, none, or nothing (`{}`). */
export type PendingChange = Pick<AccountDocument, 'pendingEmail' | 'confirmationDueAt' | 'confirmations'> &
  Partial<Pick<AccountDocument, 'email'>>;

/**
 * An address counts once its owner has opened a link that is sent to it. The link is signed, expires after three days, and is
 * valid once; requesting another ends the one before.
 */
@Injectable()
export class EmailConfirmationService {
  private readonly tokens: SignedTokens;

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.tokens = new SignedTokens('email confirmation', config);
  }

  /**
   * What a requested address makes of the pending one. The account's own, once confirmed, needs no link. Throws `limit_reached` after
   * five links within a day.
   */
  pendingAfter(account: AccountDocument, email: string | undefined, context: RequestContext): PendingChange {
    if (email === undefined) return {};
    // Nobody confirms the address of an account that nobody has claimed: the link of its invitation does.
    if (context.principal.actingSchoolId !== undefined) return { email };
    if (email === account.email && account.emailConfirmedAt)
      return account.pendingEmail ? { pendingEmail: undefined, confirmationDueAt: undefined } : {};
    const now = this.clock.now();
    const { confirmations = [] } = account;
    const message = `At most ${MOST_CONFIRMATIONS} links to confirm an address are sent within a day.`;
    if (!mayRequestLink(confirmations, new Date(now.getTime() - DAY_MS)))
      throw new AppError('limit_reached', { field: 'email', message, details: { maximum: MOST_CONFIRMATIONS } });
    const expiresAt = new Date(now.getTime() + VALID_MS);
    return {
      pendingEmail: { address: email, id: context.newId('req'), expiresAt },
      confirmationDueAt: sharedClock.now(),
      confirmations: [...confirmations, now].slice(-MOST_CONFIRMATIONS),
    };
  }

  /** The address and the token of its link; null when it is no longer to be confirmed. */
  async issue(accountId: string, id: string): Promise<OutputOf<typeof issueEmailConfirmation>> {
    const account = await this.accounts.findAny(accountId);
    const pending = account?.pendingEmail;
    if (!account || pending?.id !== id || pending.expiresAt <= this.clock.now()) return null;
    return {
      email: pending.address,
      token: this.tokens.sign(currentEnvironment(), accountId, id),
      locale: account.locale ?? 'en',
      schoolName: null,
    };
  }

  /** Confirms the address of a link. Throws `resource_not_found` for a token that is not valid. */
  async confirm(token: string): Promise<void> {
    const [env, accountId, id] = this.tokens.read(token) ?? [];
    if (!env || !accountId || !id) throw new AppError('resource_not_found');
    await inEnvironment(env as Environment, () => this.confirmPending(accountId, id));
  }

  private async confirmPending(accountId: string, id: string): Promise<void> {
    const account = await this.accounts.findAny(accountId);
    if (account?.confirmedBy === id) return;
    const pending = account?.pendingEmail;
    const isConfirmed = pending?.id === id && (await this.accounts.confirmEmail(accountId, pending, this.clock.now()));
    if (!isConfirmed) throw new AppError('resource_not_found');
  }

  /** Requests the messages with links that are to be sent: what a crash left behind, too. */
  @WhenDue(({ accounts }: EmailConfirmationService) => accounts.unconfirmed)
  async send(account: AccountDocument): Promise<void> {
    const { _id: accountId, pendingEmail } = account;
    if (pendingEmail) {
      const input = { accountId, confirmationId: pendingEmail.id };
      await this.rpc.call(sendEmailConfirmation, input, systemContext(accountId));
    }
    await this.accounts.unconfirmed.end(account);
  }
}
