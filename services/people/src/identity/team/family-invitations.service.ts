import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  claimSandboxFamily,
  DEFAULT_SCOPES,
  grants,
  inviteFamily,
  type Locale,
  type OutputOf,
  type ParsedOf,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, invalidState, type RequestContext, timeOfId } from '@swim/platform';
import { isUnclaimed } from '../accounts/account.rules.js';
import { AccountClaims } from '../accounts/account-claims.service.js';
import { AccessService } from '../keys/access.service.js';
import { UserLinksService } from '../links/user-links.service.js';
import { MOST_MAILS, ThrottleService } from '../throttle/throttle.service.js';
import { UsersService } from '../users/users.service.js';

const VALID_MS = 7 * 86_400_000;
/** Invitations of a school within a day, and of one of whose families nobody has claimed an account. */
const PER_DAY = 500;
const PER_DAY_OF_NEW = 20;

/** Invitations of families to claim the accounts that their school has made. */
@Injectable()
export class FamilyInvitationsService {
  constructor(
    private readonly claims: AccountClaims,
    private readonly links: UserLinksService,
    private readonly users: UsersService,
    private readonly throttle: ThrottleService,
    private readonly access: AccessService,
  ) {}

  /** The answer and its time say nothing about the address: whether it has a user is looked up when the link is opened. */
  @Serve(inviteFamily)
  async invite(
    { account_id: accountId }: ParsedOf<typeof inviteFamily>,
    context: RequestContext,
  ): Promise<OutputOf<typeof inviteFamily>> {
    const { _id, email, locale = 'en', ...account } = await this.claims.getMade(accountId, context);
    if (!isUnclaimed(account)) throw isClaimed();
    if (account.state)
      throw new AppError('account_closing', { details: { erases_at: account.erasesAt!.toISOString() } });
    const schoolId = context.principal.accountId;
    const maximum = (await this.claims.hasClaimed(schoolId)) ? PER_DAY : PER_DAY_OF_NEW;
    if (!(await this.throttle.countFamilyInvitation(schoolId, maximum, context))) throw tooMany(maximum);
    const id = context.newId('inv');
    // In the sandbox, `claimSandboxFamily` replaces the mail and its link.
    if (context.principal.env === 'live') await this.send({ id, accountId, email, locale }, context);
    const at = timeOfId(id);
    if (!context.dryRun) await this.claims.markInvited(accountId, at);
    return { account_id: accountId, expires_at: new Date(at.getTime() + VALID_MS).toISOString() };
  }

  /** The account is claimed first: a repeated request gives the same key another text. */
  @Serve(claimSandboxFamily)
  async claim(
    { account_id: accountId }: ParsedOf<typeof claimSandboxFamily>,
    context: RequestContext,
  ): Promise<OutputOf<typeof claimSandboxFamily>> {
    const { principal, dryRun } = context;
    if (principal.env === 'live') throw new AppError('unknown_route');
    const account = await this.claims.getMade(accountId, context);
    const id = context.newId('key');
    if (account.claimedAt && account.claimedBy !== id) throw isClaimed();
    if (dryRun) return { account_id: accountId, key: null };
    const isFirst = await this.claims.claim(accountId, { email: account.email, by: id, isConfirmed: false });
    if (!isFirst && (await this.claims.find(accountId))?.claimedBy !== id) throw isClaimed();
    const scopes = DEFAULT_SCOPES.filter((scope) => grants(principal.scopes, scope));
    const key = { id, accountId, name: 'Family', scopes, secretBytes: randomBytes(32) };
    return { account_id: accountId, key: await this.access.keep(key) };
  }

  private async send(
    { id, accountId, ...content }: { id: string; accountId: string; email: string; locale: Locale },
    { principal: { accountId: schoolId }, dryRun }: RequestContext,
  ): Promise<void> {
    const emailToken = await this.users.tokenOf(content.email);
    // Counted for each school apart, so that the answer says nothing about what others send to the address.
    if (!(await this.throttle.mayMail('claim', `${schoolId}:${emailToken}`, dryRun))) throw tooManyTo();
    if (dryRun) return;
    const fields = { purpose: 'claim', emailToken, accountId, role: 'owner', isMailed: true } as const;
    await this.links.insert({ id, ...fields, content: { ...content, schoolId } });
    await this.links.endClaimsBefore(id, accountId);
  }
}

const isClaimed = () => invalidState('Only an account that nobody has claimed can be claimed', 'claimed');

const tooMany = (maximum: number) =>
  new AppError('limit_reached', {
    message: `At most ${maximum} invitations are sent within a day, and ${PER_DAY} once a family of the school has claimed its account. Send the next one tomorrow.`,
    details: { maximum },
  });

const tooManyTo = () =>
  new AppError('limit_reached', {
    message: `At most ${MOST_MAILS} invitations are sent to an address within a day. Send the next one tomorrow.`,
    details: { maximum: MOST_MAILS },
  });
