import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CookieChanges,
  type OutputOf,
  type ParsedOf,
  type PresentedCookie,
  SCOPES_OF_ROLE,
  type UserSession,
  verifyUserSession,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  currentEnvironment,
  inEnvironment,
  newCookieToken,
  newId,
  type RequestContext,
} from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { FactorsService } from '../second-factors/factors.service.js';
import { type AccountUser, inAccount, type User, UsersService } from '../users/users.service.js';
import {
  endedSessionReason,
  endOfConfirmation,
  endOfIdle,
  isEndedBy,
  isRotationDue,
  isSessionUseWorthNoting,
  keptSecondsOf,
  type SignInChange,
} from './session.rules.js';
import { SessionInvalidation } from './session-invalidation.service.js';
import type { UserSessionDocument } from './user-session.schema.js';
import { type Rotation, UserSessionsRepository } from './user-sessions.repository.js';

type SessionCookie = NonNullable<CookieChanges['session']>;

/** The sessions of the dashboard's users, each with a cookie. */
@Injectable()
export class UserSessionsService {
  @Inject(FactorsService) private readonly factors!: FactorsService;

  constructor(
    private readonly sessions: UserSessionsRepository,
    private readonly invalidation: SessionInvalidation,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly texts: UserTextsService,
  ) {}

  /** Begins a session of a user. */
  async open(
    { _id: userId, accountId }: AccountUser,
    isKept: boolean,
    { network }: Pick<RequestContext, 'network'>,
  ): Promise<SessionCookie> {
    const { token, id, digest } = newCookieToken(newId('uss'));
    const now = this.sessions.now();
    await this.sessions.insert({
      _id: id,
      userId,
      accountId,
      readers: [accountId],
      hash: await this.hashOf(digest),
      formerHash: null,
      formerUntil: null,
      isKept,
      network,
      createdAt: now,
      rotatedAt: now,
      confirmedAt: now,
      challenge: null,
      lastUsedAt: now,
      expiresAt: endOfIdle({ createdAt: now, isKept }, now),
      revokedAt: null,
      invalidations: 0,
    });
    return { token, keptSeconds: keptSecondsOf({ isKept }) };
  }

  /** The principal of a session's user. Only a request with the right secret learns whether the session has ended. */
  @Serve(verifyUserSession)
  async verify({
    sessionId,
    digest,
    env,
  }: ParsedOf<typeof verifyUserSession>): Promise<OutputOf<typeof verifyUserSession>> {
    const [session, hash] = await Promise.all([this.sessions.find(sessionId), this.hashOf(digest)]);
    const now = this.sessions.now();
    if (!session || !isCookieOf(session, hash, now)) throw new AppError('unknown_key');
    const rejection = endedSessionReason(session, now);
    if (rejection) throw new AppError(rejection);
    const isFormer = session.hash !== hash;
    const bound = (isFormer && session.formerAccountId) || session.accountId;
    const user = inAccount(await this.users.find(session.userId), bound);
    if (!user) throw new AppError('revoked_key');
    const [account, changes] = await Promise.all([
      inEnvironment(env, () => this.accounts.findFacts(user.accountId)),
      this.signInChangesOf(user),
    ]);
    if (!account) throw new AppError('unknown_key');
    // A crash may have kept the change from ending its sessions.
    if (changes.some((change) => isEndedBy(change, session))) throw new AppError('revoked_key');
    if (account.isErased) throw new AppError(await inEnvironment(env, () => this.reasonOfErased(user)));
    const expiresAt = await this.noteUse(session, now);
    const closing = account.erasesAt?.toISOString();
    return {
      principal: {
        accountId: account.id,
        kind: account.kind,
        env,
        keyId: user._id,
        userId: user._id,
        scopes: [...SCOPES_OF_ROLE[user.role]],
        // A copy of the former cookie is not confirmed with its user.
        ...(isFormer ? {} : { confirmedUntil: endOfConfirmation(session).toISOString() }),
        ...(user.instructor ? { instructorId: user.instructor.id } : {}),
        ...(closing === undefined ? {} : { closing }),
      },
      expiresAt: (isFormer ? session.formerUntil! : expiresAt).toISOString(),
      ipAllowlist: [],
    };
  }

  /** Another cookie for a session where that is due; null where it is not, or where another request has got it. */
  async rotateWhenDue({ id, digest }: PresentedCookie): Promise<SessionCookie | null> {
    const session = await this.sessions.find(id);
    return session && isRotationDue(session, this.sessions.now()) ? this.rotate({ id, digest }) : null;
  }

  /**
   * Another cookie for a session, which may be confirmed by its user, or switched to another account; null when the presented one is not its
   * current one. The former is valid for a minute, in the account that it was bound to.
   */
  async rotate({ id, digest }: PresentedCookie, how: Rotation = {}): Promise<SessionCookie | null> {
    const session = await this.sessions.find(id);
    const hash = await this.hashOf(digest);
    if (!session || session.hash !== hash) return null;
    const next = newCookieToken(id);
    if (!(await this.sessions.rotate(session, await this.hashOf(next.digest), how))) return null;
    return { token: next.token, keptSeconds: keptSecondsOf(session) };
  }

  /** Ends a session of a user; false when the user has none of this id. */
  async end(userId: string, sessionId: string): Promise<boolean> {
    const session = await this.sessions.find(sessionId);
    if (session?.userId !== userId) return false;
    await this.invalidation.end(sessionId);
    return true;
  }

  /** Ends all sessions of a user but this one; resolves when no gateway accepts them any more. */
  async endAllOf(userId: string, exceptId: string | null = null): Promise<void> {
    for (const { _id } of await this.sessions.findActive(userId)) {
      if (_id !== exceptId) await this.invalidation.end(_id);
    }
  }

  /**
   * Has the gateways verify all sessions of a user in an account again, whose rights have changed there; each gets another cookie with its
   * next page.
   */
  async renewAllIn(accountId: string, userId: string): Promise<void> {
    for (const session of await this.sessions.findActive(userId)) {
      if (session.accountId === accountId) await this.sessions.markRotationDue(session._id);
      if (isIn(session, accountId)) await this.invalidation.announce(session._id);
    }
  }

  /** Ends and removes all sessions of a user who is removed. */
  async removeAllOf(userId: string): Promise<void> {
    await this.endAllOf(userId);
    await this.sessions.removeAllOf({ userId });
  }

  /** Ends and removes the sessions in an account of a user who is removed from it; one that has left it a moment ago goes on elsewhere. */
  async removeAllIn(accountId: string, userId: string): Promise<void> {
    for (const session of await this.sessions.findActive(userId)) {
      if (session.accountId === accountId) await this.invalidation.end(session._id);
      else if (isIn(session, accountId)) await this.invalidation.announce(session._id);
    }
    await this.sessions.removeAllOf({ userId, accountId });
  }

  /** Removes sessions of an account whose users are gone. */
  removeAllOfAccount(accountId: string): Promise<void> {
    return this.sessions.removeAllOf({ accountId });
  }

  /** Ends all sessions of an account, or has the gateways verify them again. */
  async changeAllOf(accountId: string, how: 'end' | 'announce'): Promise<void> {
    for (const { _id } of await this.sessions.findUnrevokedOf(accountId)) await this.invalidation[how](_id);
  }

  /** The active sessions of a user, newest first. */
  async list(user: User, currentId: string): Promise<UserSession[]> {
    const [active, changes] = await Promise.all([this.sessions.findActive(user._id), this.signInChangesOf(user)]);
    const valid = active.filter((session) => !changes.some((change) => isEndedBy(change, session)));
    return valid.map(({ _id: id, network, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      is_current: id === currentId,
      network,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }));
  }

  /** Users belong to the live account: without its sandbox they go on in live. */
  private async reasonOfErased({ accountId }: AccountUser): Promise<'sandbox_erased' | 'revoked_key'> {
    const live =
      currentEnvironment() === 'test' ? await inEnvironment('live', () => this.accounts.findFacts(accountId)) : null;
    return live && !live.isErased ? 'sandbox_erased' : 'revoked_key';
  }

  /** The latest changes of the password and of second factors. */
  private async signInChangesOf({ _id, passwordChangedAt: at, passwordChangedIn }: User): Promise<SignInChange[]> {
    const ofFactors = await this.factors.latestChangeOf(_id);
    const ofPassword = passwordChangedIn === undefined ? null : { at, sessionId: passwordChangedIn };
    return [ofPassword, ofFactors].filter((change) => change !== null);
  }

  private hashOf(digest: string): Promise<string> {
    return this.texts.tokenOf('cookie', digest);
  }

  /** Records the use, at most once a minute; returns when the session ends without further use. */
  private async noteUse(session: UserSessionDocument, now: Date): Promise<Date> {
    if (!isSessionUseWorthNoting(session, now)) return session.expiresAt;
    const expiresAt = endOfIdle(session, now);
    await this.sessions.markUsed(session, now, expiresAt);
    return expiresAt;
  }
}

/** Whether a cookie of the session speaks for the account, its former one included. */
const isIn = ({ accountId, formerAccountId }: UserSessionDocument, id: string): boolean =>
  accountId === id || formerAccountId === id;

const areEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function isCookieOf({ hash, formerHash, formerUntil }: UserSessionDocument, presented: string, now: Date): boolean {
  if (areEqual(hash, presented)) return true;
  return formerHash !== null && formerUntil !== null && formerUntil > now && areEqual(formerHash, presented);
}
