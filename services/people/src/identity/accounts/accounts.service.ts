import { Inject, Injectable } from '@nestjs/common';
import {
  type Account,
  type AccountChanges,
  type AccountKind,
  ENVIRONMENTS,
  type Environment,
  exportAccount,
  getAccount,
  type Locale,
  type OutputOf,
  type ParsedOf,
  updateAccount,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { answerIn, metadataChange } from '@swim/mongo';
import { AppError, inEnvironment, type RequestContext, sharedClock, timeOfId } from '@swim/platform';
import { untilUndisturbed } from '../undisturbed-changes.js';
import { accountOf } from './account.mapper.js';
import { type AccountPolicies, firstPolicies, namedFields, namedPolicies } from './account.rules.js';
import type { AccountDocument } from './account.schema.js';
import { type AccountContact, AccountsRepository } from './accounts.repository.js';
import { ActingService } from './acting.service.js';
import { EmailConfirmationService } from './email-confirmation.service.js';

/** The fields of a new account. */
export interface NewAccount {
  id: string;
  name: string;
  email: string;
  kind: AccountKind;
  timezone: string;
  currency: string;
  /** Absent: English. */
  locale?: Locale;
  /** The school that makes it. */
  madeBy?: string;
  makingDueAt?: Date;
}

/** The fields of an account that other features use. */
export interface AccountFacts {
  id: string;
  kind: AccountKind;
  timezone: string;
  currency: string;
  policies: AccountPolicies | null;
  /** When the erasure of a closing account begins; null when it is open. */
  erasesAt: Date | null;
  /** Whether its erasure has begun. */
  isErased: boolean;
}

/** Whether the account is about to be erased, or is erased: its instructors get no new sessions. */
export const isEnding = ({ erasesAt, isErased }: AccountFacts): boolean => erasesAt !== null || isErased;

/** What messages need of an account. */
export interface ReachableAccount extends Pick<AccountFacts, 'id' | 'kind' | 'timezone'> {
  name: string;
  /** Null unless it is confirmed. */
  email: string | null;
  locale: Locale;
  offerUrlTemplate: string | null;
}

/** Families, clubs and schools. */
@Injectable()
export class AccountsService {
  @Inject(ActingService) private readonly acting!: ActingService;
  @Inject(EmailConfirmationService) private readonly emails!: EmailConfirmationService;

  constructor(private readonly accounts: AccountsRepository) {}

  /** The requesting account. */
  @Serve(getAccount)
  async get({ account_id: accountId }: ParsedOf<typeof getAccount>, context: RequestContext): Promise<Account> {
    requireOwnAccount(accountId, context);
    return accountOf(await this.getOwn(accountId));
  }

  /** The account's own part: the gateway adds the lists. */
  @Serve(exportAccount)
  async export(
    input: ParsedOf<typeof exportAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof exportAccount>> {
    return { account: await this.get(input, context) };
  }

  /** Changes the requesting account; a school's policies take effect at once. */
  @Serve(updateAccount)
  async update({ account_id: id, changes }: ParsedOf<typeof updateAccount>, context: RequestContext): Promise<Account> {
    requireOwnAccount(id, context);
    return untilUndisturbed(() => this.changeOnce(id, changes, context));
  }

  /** The account after a change; null when what the change depends on was changed concurrently. */
  private async changeOnce(id: string, changes: AccountChanges, context: RequestContext): Promise<Account | null> {
    const now = await this.getOwn(id);
    const earlier = answerIn(now, context);
    if (earlier !== undefined) return earlier as Account;
    if (changes.policies && !now.policies) throw new AppError('policies_of_school_only', { field: 'policies' });
    const fields = {
      ...namedFields(changes),
      ...metadataChange(now.metadata, changes.metadata),
      ...this.emails.pendingAfter(now, changes.email, context),
    };
    const policies = namedPolicies(changes.policies ?? {});
    const answer = accountOf({ ...now, ...fields, policies: now.policies && { ...now.policies, ...policies } });
    if (context.dryRun) return answer;
    if (await this.accounts.markChanged(context, now, { ...fields, policies }, answer))
      return accountOf(await this.getOwn(id));
    await this.acting.requireUnclaimed(context);
    return null;
  }

  /**
   * The facts about an account that decisions depend on; null when this environment has none. Policies are null unless it is a
   * school.
   */
  async findFacts(accountId: string): Promise<AccountFacts | null> {
    const account = await this.accounts.findAny(accountId);
    if (!account) return null;
    const { _id: id, kind, timezone, currency, policies, state } = account;
    const erasesAt = state === 'closing' ? (account.erasesAt ?? null) : null;
    return { id, kind, timezone, currency, policies, erasesAt, isErased: state === 'erasing' || state === 'erased' };
  }

  /** Where an account exists that is not erased, live first. */
  async findEnvironments(accountId: string): Promise<Environment[]> {
    const facts = await Promise.all(ENVIRONMENTS.map((env) => inEnvironment(env, () => this.findFacts(accountId))));
    return ENVIRONMENTS.filter((_, at) => facts[at] && !facts[at].isErased);
  }

  /** The instructors whose schools are not about to be erased, or erased: they get no new sessions. */
  async ofOpenSchools<T extends { schoolId: string }>(instructors: readonly T[]): Promise<T[]> {
    const schoolIds = [...new Set(instructors.map(({ schoolId }) => schoolId))];
    const schools = await Promise.all(schoolIds.map((id) => this.findFacts(id)));
    const ending = new Set(schools.flatMap((school) => (school && isEnding(school) ? [school.id] : [])));
    return instructors.filter(({ schoolId }) => !ending.has(schoolId));
  }

  /** The name of an account; null when this environment has none, or it is erased. */
  async findName(accountId: string): Promise<string | null> {
    const account = await this.accounts.findAny(accountId);
    return account && account.state !== 'erasing' && account.state !== 'erased' ? account.name : null;
  }

  /** The accounts among these that messages can be sent to: those that are not being erased. */
  async findReachable(accountIds: readonly string[]): Promise<ReachableAccount[]> {
    const found = await this.accounts.findAll(accountIds);
    return found
      .filter(({ state }) => state !== 'erasing' && state !== 'erased')
      .map(({ _id: id, kind, name, email, emailConfirmedAt, locale = 'en', timezone, policies }) => ({
        id,
        kind,
        name,
        email: emailConfirmedAt ? email : null,
        locale,
        timezone,
        offerUrlTemplate: policies?.offerUrlTemplate ?? null,
      }));
  }

  /** The names of the schools among these accounts that are not erased; those in live before those in the sandbox. */
  async findSchoolNames(accountIds: readonly string[]): Promise<{ id: string; name: string }[]> {
    const found = await Promise.all(
      ENVIRONMENTS.map((env) => inEnvironment(env, () => this.findReachable(accountIds))),
    );
    const schools = found.flat().filter(({ kind }) => kind === 'school');
    return accountIds.flatMap((each) => {
      const school = schools.find(({ id }) => id === each);
      return school ? [{ id: each, name: school.name }] : [];
    });
  }

  /** See `AccountsRepository.findContacts`. */
  findContacts(accountIds: readonly string[]): Promise<AccountContact[]> {
    return this.accounts.findContacts(accountIds);
  }

  /** See `AccountsRepository.findMadeWith`. */
  findMadeWith(schoolId: string, emails: readonly string[]): Promise<AccountContact[]> {
    return this.accounts.findMadeWith(schoolId, emails);
  }

  /** Records that this address is confirmed, without a link; without effect when the account has another one. */
  confirmEmail(accountId: string, email: string): Promise<void> {
    return this.accounts.markConfirmed(accountId, email, sharedClock.now());
  }

  /** Counts a link to an instructor's address, once for its id; false when a school has sent as many within a day. */
  async takeInstructorLink(accountId: string, id: string, now: Date): Promise<boolean> {
    const account = await this.accounts.findAny(accountId);
    if (account?.instructorLinks?.some((link) => link.id === id)) return true;
    return this.accounts.takeInstructorLink(accountId, { id, at: now });
  }

  /** Stores an account with the default policies of its kind; an existing one stays unchanged. */
  async open({ id, ...fields }: NewAccount): Promise<void> {
    await this.accounts.insert({
      _id: id,
      readers: [id],
      ...fields,
      policies: firstPolicies(fields.kind),
      createdAt: timeOfId(id),
    });
  }

  private async getOwn(accountId: string): Promise<AccountDocument> {
    const account = await this.accounts.findOwn(accountId);
    if (!account) throw new AppError('resource_not_found');
    return account;
  }
}

/** Throws `foreign_account` when the path names another account, whether or not that exists. */
export function requireOwnAccount(accountId: string, context: RequestContext): void {
  if (accountId !== context.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
}
