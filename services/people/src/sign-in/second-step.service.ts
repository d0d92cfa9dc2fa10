import { Injectable } from '@nestjs/common';
import type { CookieChanges, OutputOf, ParsedOf, signInWithRecoveryCode, signInWithTotp } from '@swim/contracts';
import { AppError, newCookieToken, newId, type RequestContext } from '@swim/platform';
import { UserTextsService } from '../privacy/user-texts.service.js';
import { FactorsService } from '../second-factors/factors.service.js';
import { type User, UsersService } from '../users/users.service.js';
import { PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { SessionLifeService } from './session-life.service.js';

const VALID_MS = 600_000;
const MOST_TRIES = 5;

/** The second step of a sign-in: the password was right, and a second factor is to follow. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly pending: PendingSignInsRepository,
    private readonly users: UsersService,
    private readonly factors: FactorsService,
    private readonly life: SessionLifeService,
    private readonly texts: UserTextsService,
  ) {}

  /** Begins the second step of a user who has a second factor; null for one who has none. */
  async begin(
    { _id: userId, passwordChangedAt }: User,
    isKept: boolean,
  ): Promise<OutputOf<typeof signInWithTotp> | null> {
    const { totp, recovery_codes_left: left } = await this.factors.countsOf(userId);
    if (!totp) return null;
    const { token, id, digest } = newCookieToken(newId('usi'));
    const hash = await this.texts.tokenOf('cookie', digest);
    const expiresAt = new Date(this.pending.now().getTime() + VALID_MS);
    await this.pending.insert({ _id: id, userId, readers: [], hash, isKept, passwordChangedAt, tries: 0, expiresAt });
    const cookies: CookieChanges = { secondFactor: { token, keptSeconds: VALID_MS / 1_000 } };
    const methods = left > 0 ? (['totp', 'recovery_code'] as const) : (['totp'] as const);
    return { cookies, data: { status: 'second_factor_required', methods: [...methods] } };
  }

  async completeByTotp(
    { pending, code }: ParsedOf<typeof signInWithTotp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithTotp>> {
    return this.complete(pending, context, (user) => this.factors.useTotp(user, code));
  }

  async completeByRecoveryCode(
    { pending, code }: ParsedOf<typeof signInWithRecoveryCode>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithRecoveryCode>> {
    return this.complete(pending, context, (user) => this.factors.useRecoveryCode(user, code));
  }

  /** Each sign-in has five tries; then the password is needed again, whose tries are limited too. */
  private async complete(
    cookie: ParsedOf<typeof signInWithTotp>['pending'],
    context: RequestContext,
    check: (user: User) => Promise<void>,
  ): Promise<OutputOf<typeof signInWithTotp>> {
    const found = cookie ? await this.pending.find(cookie.id) : null;
    const isRight = found && found.hash === (await this.texts.tokenOf('cookie', cookie!.digest));
    if (!isRight || found.expiresAt <= this.pending.now()) throw new AppError('sign_in_expired');
    const user = await this.users.find(found.userId);
    const isCurrent = user?.passwordChangedAt.getTime() === found.passwordChangedAt.getTime();
    if (!user || !isCurrent || !(await this.pending.countTry(found._id, MOST_TRIES)))
      throw new AppError('sign_in_expired');
    await check(user);
    if (!(await this.pending.end(found._id))) throw new AppError('sign_in_expired');
    const { cookies, me } = await this.life.start(user, found.isKept, context);
    return { cookies, data: { status: 'signed_in', me } };
  }
}
