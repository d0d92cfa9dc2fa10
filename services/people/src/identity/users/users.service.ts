import { Inject, Injectable } from '@nestjs/common';
import { type DashboardMe, type DashboardUser, type Locale, type Page, SCOPES_OF_ROLE } from '@swim/contracts';
import type { ListQuery } from '@swim/mongo';
import { AppError, inEnvironment, type RequestContext, systemContext } from '@swim/platform';
import { AccountClocksService } from '../accounts/account-clocks.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { FactorsService } from '../second-factors/factors.service.js';
import { OwnersService } from './owners.service.js';
import { PasswordsService } from './passwords.service.js';
import {
  type AccountUser,
  type InstructorOfUser,
  inAccount,
  type NewMembership,
  type UserDocument,
  type UserProfile,
} from './user.schema.js';
import { UsersRepository } from './users.repository.js';

const PROFILE = 'profile';

export { type AccountUser, type InstructorOfUser, inAccount };

/** A user to store, with its first account. */
export interface NewUser extends UserProfile, NewMembership {
  id: string;
  locale: Locale;
  /** What `PasswordsService.hash` returned. */
  passwordHash: string | null;
}

/** A user as other features see it. */
export type User = UserDocument;

/** The users of the dashboard. */
@Injectable()
export class UsersService {
  @Inject(FactorsService) private readonly factors!: FactorsService;
  @Inject(AccountClocksService) private readonly clocks!: AccountClocksService;

  constructor(
    private readonly users: UsersRepository,
    private readonly texts: UserTextsService,
    private readonly accounts: AccountsService,
    private readonly passwords: PasswordsService,
    private readonly owners: OwnersService,
  ) {}

  /** Users who have no account left: they are to be removed. */
  get unowned(): UsersRepository['unowned'] {
    return this.users.unowned;
  }

  /** The token of an address, by which its user is found. */
  tokenOf(email: string): Promise<string> {
    return this.texts.tokenOf('email', email.toLowerCase());
  }

  findByEmailToken(emailToken: string): Promise<User | null> {
    return this.users.findByEmail(emailToken);
  }

  find(userId: string): Promise<User | null> {
    return this.users.find(userId);
  }

  /** The user of the request in its account. Throws `session_ended` for a removed one, and for a request without a user. */
  async getOwn({ principal: { userId, accountId } }: RequestContext): Promise<AccountUser> {
    const user = userId === undefined ? null : inAccount(await this.users.find(userId), accountId);
    if (!user) throw new AppError('session_ended');
    return user;
  }

  /** A user in an account. Throws `resource_not_found` where it does not belong to it. */
  async getIn(accountId: string, userId: string): Promise<AccountUser> {
    const user = inAccount(await this.users.find(userId), accountId);
    if (!user) throw new AppError('resource_not_found');
    return user;
  }

  /** A user in the account that it used last, or else in its newest one that is not erased; null for one who has none. */
  async atLast(user: User): Promise<AccountUser | null> {
    const ids = [user.lastAccountId, ...user.memberships.map(({ accountId }) => accountId).toReversed()];
    const own = ids.map((id) => inAccount(user, id)).filter((each) => each !== null);
    for (const each of own) if ((await this.accounts.findEnvironments(each.accountId)).length > 0) return each;
    return own[0] ?? null;
  }

  /** Has the next sign-in of a user lead to this account. */
  async noteUse({ _id, accountId, lastAccountId }: AccountUser): Promise<void> {
    if (accountId !== lastAccountId) await this.users.change(_id, { lastAccountId: accountId });
  }

  /** The hash of a password to set. Throws `common_password`, `overloaded`. */
  hashPassword(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /** Whether it is the password of the user; without a user it takes the same time, and is not. Throws `overloaded`. */
  isPassword(password: string, user: User | null): Promise<boolean> {
    return this.passwords.matches(password, user?.passwordHash ?? null);
  }

  /** Stores a user; null when another one has the address. A repeated call returns the stored one. */
  async insert({
    id,
    accountId,
    role,
    instructor,
    name,
    email,
    locale,
    passwordHash,
  }: NewUser): Promise<AccountUser | null> {
    const now = this.users.now();
    const user: User = {
      _id: id,
      memberships: [{ accountId, role, instructor, joinedAt: now }],
      membershipsRev: 0,
      readers: [accountId],
      lastAccountId: accountId,
      emailToken: await this.tokenOf(email),
      profile: await this.texts.seal(JSON.stringify({ name, email }), id, PROFILE),
      passwordHash,
      passwordChangedAt: now,
      wrongCodes: 0,
      noticedCodes: 0,
      locale,
      createdAt: now,
      updatedAt: now,
    };
    const stored = (await this.users.insert(user)) ? user : await this.users.find(id);
    if (role === 'owner') await this.owners.add(id, accountId);
    return inAccount(stored, accountId);
  }

  /** The users of the requesting account, newest first. */
  list(query: ListQuery, context: RequestContext): Promise<Page<User>> {
    return this.users.list(context, query);
  }

  /** The users of an account, at most `limit`. */
  findAllOf(accountId: string, limit: number): Promise<User[]> {
    return this.users.findAllOf(accountId, limit);
  }

  /**
   * Removes a user who has no account left, and before it what was encrypted for it: a repeated call completes what a crash interrupted.
   * Idempotent.
   */
  async remove(userId: string): Promise<void> {
    await this.texts.forget(userId);
    await this.factors.forget(userId);
    await this.users.removeOne(userId);
  }

  /** A user as lists show it. */
  async summaryOf(user: AccountUser): Promise<DashboardUser> {
    const { _id: id, role, instructor, locale, joinedAt } = user;
    const [profile, { totp, passkeys }] = await Promise.all([this.profileOf(user), this.factors.countsOf(id)]);
    return {
      id,
      ...profile,
      role,
      instructor_id: instructor?.id ?? null,
      locale,
      second_factor: totp || passkeys > 0,
      created_at: joinedAt.toISOString(),
    };
  }

  /** The name and address of a user. */
  async profileOf({ _id, profile }: User): Promise<UserProfile> {
    const text = await this.texts.open(profile, _id, PROFILE);
    return text === null ? { name: '', email: '' } : (JSON.parse(text) as UserProfile);
  }

  /** Changes name and language of a user. */
  async change(
    user: AccountUser,
    { name, locale }: { name?: string | undefined; locale?: Locale | undefined },
  ): Promise<AccountUser> {
    const former = await this.profileOf(user);
    const profile =
      name === undefined ? user.profile : await this.texts.seal(JSON.stringify({ ...former, name }), user._id, PROFILE);
    const changes = { profile, locale: locale ?? user.locale };
    const isChanged = await this.users.change(user._id, changes, { profile: user.profile });
    if (!isChanged) throw new AppError('change_in_progress');
    return { ...user, ...changes };
  }

  /** Sets the password by a link that was sent at `sentAt`; false when the password was changed since. */
  setPasswordByLink({ _id }: User, passwordHash: string, sentAt: Date): Promise<boolean> {
    const now = this.users.now();
    // Never before the link: a replica's clock may be some milliseconds behind.
    const passwordChangedAt = now > sentAt ? now : sentAt;
    const changes = { passwordHash, passwordChangedAt, passwordChangedIn: null };
    return this.users.change(_id, changes, { passwordChangedAt: { $lt: sentAt } });
  }

  /** Sets the password in a session, unless it has changed since the user was read. */
  async setPassword({ _id, passwordHash: former }: User, passwordHash: string, sessionId: string): Promise<void> {
    const passwordChangedAt = this.users.now();
    // The sender of wrong codes knew the former password.
    const counts = { wrongCodes: 0, noticedCodes: 0 };
    const changes = { passwordHash, passwordChangedAt, passwordChangedIn: sessionId, ...counts };
    if (!(await this.users.change(_id, changes, { passwordHash: former }))) throw new AppError('change_in_progress');
  }

  /** Counts a code that is about to be checked; false when there were `limit` wrong ones before it. */
  countCode({ _id }: User, limit: number): Promise<boolean> {
    return this.users.countCode(_id, limit);
  }

  /** Takes a code back that was right. */
  uncountCode({ _id }: User): Promise<void> {
    return this.users.uncountCode(_id);
  }

  /** Whether the user is to be notified of wrong codes: of each `every` once. */
  async takeNotice({ _id }: User, every: number): Promise<boolean> {
    const { wrongCodes, noticedCodes } = (await this.users.find(_id))!;
    return wrongCodes - noticedCodes >= every && this.users.change(_id, { noticedCodes: wrongCodes }, { noticedCodes });
  }

  /** What the dashboard shows of a user, its account and its rights. */
  async describe(user: AccountUser): Promise<DashboardMe> {
    const { _id: id, accountId, role, instructor, locale } = user;
    const [profile, factors, environments, offsetMs] = await Promise.all([
      this.profileOf(user),
      this.factors.countsOf(id),
      this.accounts.findEnvironments(accountId),
      inEnvironment('test', () => this.clocks.latestOffset([accountId])),
    ]);
    const account = await inEnvironment(environments[0] ?? 'test', () =>
      this.accounts.get({ account_id: accountId }, systemContext(accountId)),
    );
    return {
      user: { id, ...profile, locale, role, instructor_id: instructor?.id ?? null, second_factors: factors },
      account: {
        id: accountId,
        name: account.name,
        kind: account.kind,
        timezone: account.timezone,
        currency: account.currency,
        locale: account.locale,
        clock_offset_seconds: Math.floor(offsetMs / 1_000),
      },
      environments: environments
        .filter((env) => !instructor || env === instructor.env)
        .map((env) => (env === 'live' ? 'live' : 'sandbox')),
      scopes: [...SCOPES_OF_ROLE[role]],
    };
  }
}
