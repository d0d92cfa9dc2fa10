import { Inject, Injectable } from '@nestjs/common';
import {
  beginPasskeySignIn,
  type CookieChanges,
  type OutputOf,
  type ParsedOf,
  type Reason,
  type SECOND_FACTORS,
  signInWithPasskey,
  signInWithRecoveryCode,
  signInWithTotp,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, newCookieToken, newId, type RequestContext } from '@swim/platform';
import { UserLinksService } from '../links/user-links.service.js';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { type FactorCounts, FactorsService } from '../second-factors/factors.service.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { type User, UsersService } from '../users/users.service.js';
import type { PendingSignInDocument } from './pending-sign-in.schema.js';
import { PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { SessionLifeService } from './session-life.service.js';

const VALID_MS = 600_000;
const MOST_TRIES = 5;
/** Wrong codes of a user from all browsers in which the user has not signed in before, and from each of the others. */
const MOST_WRONG_CODES = 100;
/** The user is notified of each five wrong codes: the sender of such codes knows the password, or has a cookie. */
const NOTICED_CODES = 5;
const WRONG: readonly Reason[] = ['wrong_code', 'wrong_passkey'];

type Cookie = ParsedOf<typeof signInWithTotp>['pending'];

/** How a user signs in. */
export type SignInMode = Pick<PendingSignInDocument, 'isKept' | 'device'>;

/** A sign-in that waits for a second factor, and its user. */
interface Waiting {
  found: PendingSignInDocument;
  user: User;
}

/** The second step of a sign-in: the password was right, and a second factor is to follow. */
@Injectable()
export class SecondStepService {
  @Inject(PasskeysService) private readonly passkeys!: PasskeysService;
  @Inject(ThrottleService) private readonly throttle!: ThrottleService;
  @Inject(UserLinksService) private readonly links!: UserLinksService;

  constructor(
    private readonly pending: PendingSignInsRepository,
    private readonly users: UsersService,
    private readonly factors: FactorsService,
    private readonly life: SessionLifeService,
    private readonly texts: UserTextsService,
  ) {}

  /**
   * Begins the second step of a user who has a second factor; null for one who has none. Throws `second_factor_locked` after too
   * many wrong codes, for a browser in which the user has not signed in before.
   */
  async begin(
    { _id: userId, passwordChangedAt, wrongCodes }: User,
    mode: SignInMode,
  ): Promise<OutputOf<typeof signInWithTotp> | null> {
    const methods = methodsOf(await this.factors.countsOf(userId));
    if (methods.length === 0) return null;
    if (mode.device === null && wrongCodes >= MOST_WRONG_CODES) throw new AppError('second_factor_locked');
    const { token, id, digest } = newCookieToken(newId('usi'));
    const hash = await this.texts.tokenOf('cookie', digest);
    const expiresAt = new Date(this.pending.now().getTime() + VALID_MS);
    const begun = { userId, readers: [], hash, ...mode, passwordChangedAt, tries: 0, challenge: null, expiresAt };
    await this.pending.insert({ _id: id, ...begun });
    const cookies: CookieChanges = { secondFactor: { token, keptSeconds: VALID_MS / 1_000 } };
    return { cookies, data: { status: 'second_factor_required', methods } };
  }

  /** Options for the signature of a passkey; they replace those that were requested before. */
  @Serve(beginPasskeySignIn)
  async beginPasskey({ pending }: ParsedOf<typeof beginPasskeySignIn>): Promise<OutputOf<typeof beginPasskeySignIn>> {
    const { found } = await this.require(pending);
    const begun = await this.passkeys.beginSignature(found.userId);
    if (!begun || !(await this.pending.setChallenge(found._id, begun.challenge))) throw new AppError('sign_in_expired');
    return begun.options;
  }

  @Serve(signInWithTotp)
  async completeByTotp(
    { pending, code }: ParsedOf<typeof signInWithTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithTotp>> {
    return this.complete(pending, context, ({ user }) => this.factors.useTotp(user, code));
  }

  @Serve(signInWithRecoveryCode)
  async completeByRecoveryCode(
    { pending, code }: ParsedOf<typeof signInWithRecoveryCode>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithRecoveryCode>> {
    return this.complete(pending, context, ({ user }) => this.factors.useRecoveryCode(user, code));
  }

  @Serve(signInWithPasskey)
  async completeByPasskey(
    { pending, response }: ParsedOf<typeof signInWithPasskey>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithPasskey>> {
    return this.complete(pending, context, async ({ found: { _id, challenge }, user }) => {
      if (!challenge || !(await this.pending.takeChallenge(_id, challenge))) throw new AppError('wrong_passkey');
      await this.passkeys.useSignature(user, challenge, response);
    });
  }

  /** Each sign-in has five tries; then the password is needed again, whose tries are limited too. */
  private async complete(
    cookie: Cookie,
    context: RequestContext,
    check: (waiting: Waiting) => Promise<void>,
  ): Promise<OutputOf<typeof signInWithTotp>> {
    const waiting = await this.require(cookie);
    const { found, user } = waiting;
    if (!(await this.pending.countTry(found._id, MOST_TRIES))) throw new AppError('sign_in_expired');
    await this.check(user, found.device, context, () => check(waiting));
    if (!(await this.pending.end(found._id))) throw new AppError('sign_in_expired');
    const { cookies, me } = await this.life.startLast(user, found.isKept, context);
    return { cookies, data: { status: 'signed_in', me } };
  }

  /**
   * Checks a code or a signature of a user, in a browser in which the user has signed in before, or another one. Throws
   * `second_factor_locked` after too many wrong ones, and what `work` throws.
   */
  async check(user: User, device: string | null, context: RequestContext, work: () => Promise<void>): Promise<void> {
    if (!(await this.countCode(user, device))) throw new AppError('second_factor_locked');
    await work().catch((error: unknown) => this.noteFailure(user, error, context));
    await this.users.uncountCode(user);
  }

  /** Counted before it is checked, so that no concurrent ones exceed the limit. */
  private async countCode(user: User, device: string | null): Promise<boolean> {
    if (device === null) return this.users.countCode(user, MOST_WRONG_CODES);
    return (
      (await this.throttle.countCodeOf(device, MOST_WRONG_CODES)) && this.users.countCode(user, Number.MAX_SAFE_INTEGER)
    );
  }

  /** Records a wrong code, and notifies the user of several; throws the error. */
  private async noteFailure(user: User, error: unknown, context: RequestContext): Promise<never> {
    if (!(error instanceof AppError) || !WRONG.includes(error.reason)) throw error;
    await this.life.record(user, 'second_factor_failed', context);
    if (await this.users.takeNotice(user, NOTICED_CODES)) await this.links.notify(user, 'wrong_codes');
    throw error;
  }

  /** The sign-in of a cookie, and its user. Throws `sign_in_expired`. */
  private async require(cookie: Cookie): Promise<Waiting> {
    const found = cookie ? await this.pending.find(cookie.id) : null;
    const isRight = found && found.hash === (await this.texts.tokenOf('cookie', cookie!.digest));
    if (!isRight || found.expiresAt <= this.pending.now()) throw new AppError('sign_in_expired');
    const user = await this.users.find(found.userId);
    if (user?.passwordChangedAt.getTime() !== found.passwordChangedAt.getTime()) throw new AppError('sign_in_expired');
    return { found, user };
  }
}

const methodsOf = ({ totp, passkeys, recovery_codes_left: left }: FactorCounts): (typeof SECOND_FACTORS)[number][] => [
  ...(totp ? (['totp'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  ...(left > 0 ? (['recovery_code'] as const) : []),
];
