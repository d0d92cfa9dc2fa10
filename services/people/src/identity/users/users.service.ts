import { Inject, Injectable } from '@nestjs/common';
import {
  type DashboardMe,
  type DashboardUser,
  type Locale,
  type Page,
  type Role,
  SCOPES_OF_ROLE,
} from '@swim/contracts';
import type { ListQuery } from '@swim/mongo';
import { AppError, inEnvironment, type RequestContext, systemContext } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { FactorsService } from '../second-factors/factors.service.js';
import { changeInProgress } from '../undisturbed-changes.js';
import { OwnersService } from './owners.service.js';
import { PasswordsService } from './passwords.service.js';
import type { UserDocument, UserProfile } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

const PROFILE = 'profile';

/** A user to store. */
export interface NewUser extends UserProfile {
  id: string;
  accountId: string;
  role: Role;
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

  constructor(
    private readonly users: UsersRepository,
    private readonly texts: UserTextsService,
    private readonly accounts: AccountsService,
    private readonly passwords: PasswordsService,
    private readonly owners: OwnersService,
  ) {}

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

  /** The user of the request. Throws `session_ended` for a removed one, and for a request without a user. */
  async getOwn({ principal: { userId } }: RequestContext): Promise<User> {
    const user = userId === undefined ? null : await this.users.find(userId);
    if (!user) throw new AppError('session_ended');
    return user;
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
  async insert({ id, accountId, name, email, ...rest }: NewUser): Promise<User | null> {
    const now = this.users.now();
    const profile = await this.texts.seal(JSON.stringify({ name, email }), { userId: id, accountId }, PROFILE);
    const emailToken = await this.tokenOf(email);
    const dates = { passwordChangedAt: now, createdAt: now, updatedAt: now };
    const fresh = { ...dates, wrongCodes: 0, noticedCodes: 0 };
    const user = { _id: id, accountId, readers: [accountId], emailToken, profile, ...rest, ...fresh };
    const stored = (await this.users.insert(user)) ? user : await this.users.find(id);
    if (stored?.role === 'owner') await this.owners.add(id);
    return stored;
  }

  /** The users of the requesting account, newest first. */
  list(query: ListQuery, context: RequestContext): Promise<Page<User>> {
    return this.users.list(context, query);
  }

  /** The users of an account, at most `limit`. */
  findAllOf(accountId: string, limit: number): Promise<User[]> {
    return this.users.findAllOf(accountId, limit);
  }

  /** Ids of users of an account, and of removed ones of whom a crash has left second factors; at most twice `limit`. */
  async findIdsLeftOf(accountId: string, limit: number): Promise<string[]> {
    const [users, factors] = await Promise.all([
      this.users.findAllOf(accountId, limit),
      this.factors.findIdsOfAccount(accountId, limit),
    ]);
    return [...new Set([...users.map(({ _id }) => _id), ...factors])];
  }

  /**
   * Removes a user, or only one that is not an owner, and before it what was encrypted for it: a repeated call completes what a
   * crash interrupted. Throws `change_in_progress` when the user has become an owner meanwhile. Idempotent.
   */
  async remove(userId: string, which: 'any' | 'no_owner'): Promise<void> {
    await this.factors.forget(userId);
    await this.texts.forget(userId);
    if (!(await this.users.removeOne(userId, which)) && (await this.users.find(userId))) throw changeInProgress();
  }

  /** A user as lists show it. */
  async summaryOf(user: User): Promise<DashboardUser> {
    const { _id: id, role, locale, createdAt } = user;
    const [profile, { totp, passkeys }] = await Promise.all([this.profileOf(user), this.factors.countsOf(id)]);
    return { id, ...profile, role, locale, second_factor: totp || passkeys > 0, created_at: createdAt.toISOString() };
  }

  /** The name and address of a user. */
  async profileOf({ _id, accountId, profile }: User): Promise<UserProfile> {
    const text = await this.texts.open(profile, { userId: _id, accountId }, PROFILE);
    return text === null ? { name: '', email: '' } : (JSON.parse(text) as UserProfile);
  }

  /** Changes name and language of a user. */
  async change(
    user: User,
    { name, locale }: { name?: string | undefined; locale?: Locale | undefined },
  ): Promise<User> {
    const owner = { userId: user._id, accountId: user.accountId };
    const former = await this.profileOf(user);
    const profile =
      name === undefined ? user.profile : await this.texts.seal(JSON.stringify({ ...former, name }), owner, PROFILE);
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
  async describe(user: User): Promise<DashboardMe> {
    const { _id: id, accountId, role, locale } = user;
    const [profile, factors, live, test] = await Promise.all([
      this.profileOf(user),
      this.factors.countsOf(id),
      inEnvironment('live', () => this.accounts.findFacts(accountId)),
      inEnvironment('test', () => this.accounts.findFacts(accountId)),
    ]);
    const env = live && !live.isErased ? 'live' : 'test';
    const account = await inEnvironment(env, () =>
      this.accounts.get({ account_id: accountId }, systemContext(accountId)),
    );
    return {
      user: { id, ...profile, locale, role, second_factors: factors },
      account: {
        id: accountId,
        name: account.name,
        kind: account.kind,
        timezone: account.timezone,
        currency: account.currency,
        locale: account.locale,
      },
      environments: [
        ...(live && !live.isErased ? (['live'] as const) : []),
        ...(test && !test.isErased ? (['sandbox'] as const) : []),
      ],
      scopes: [...SCOPES_OF_ROLE[role]],
    };
  }
}
