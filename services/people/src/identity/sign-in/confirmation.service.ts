import { Inject, Injectable } from '@nestjs/common';
import { beginConfirmation, confirmSession, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { FactorsService } from '../second-factors/factors.service.js';
import { PasskeysService } from '../second-factors/passkeys.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { type User, UsersService } from '../users/users.service.js';
import { SecondStepService } from './second-step.service.js';
import { SessionLifeService } from './session-life.service.js';
import { UserSessionsRepository } from './user-sessions.repository.js';
import { UserSessionsService } from './user-sessions.service.js';

type Proof = ParsedOf<typeof confirmSession>;

/** Confirms that the user of a session is there, before what a cookie alone may not do. */
@Injectable()
export class ConfirmationService {
  @Inject(UsersService) private readonly users!: UsersService;
  @Inject(UserSessionsRepository) private readonly stored!: UserSessionsRepository;
  @Inject(SessionLifeService) private readonly life!: SessionLifeService;

  constructor(
    private readonly sessions: UserSessionsService,
    private readonly factors: FactorsService,
    private readonly passkeys: PasskeysService,
    private readonly steps: SecondStepService,
    private readonly throttle: ThrottleService,
  ) {}

  /** Options for the signature of a passkey; they replace those that were requested before. */
  @Serve(beginConfirmation)
  async begin(
    { session }: ParsedOf<typeof beginConfirmation>,
    context: RequestContext,
  ): Promise<OutputOf<typeof beginConfirmation>> {
    const user = await this.users.getOwn(context);
    const begun = await this.passkeys.beginSignature(user._id);
    if (!begun) throw new AppError('invalid_state');
    await this.stored.setChallenge(session.id, begun.challenge);
    return begun.options;
  }

  /** Tries are counted by the session, as by a browser at the sign-in: nobody without its cookie uses them up. */
  @Serve(confirmSession)
  async confirm(proof: Proof, context: RequestContext): Promise<OutputOf<typeof confirmSession>> {
    const { session, password } = proof;
    const user = await this.users.getOwn(context);
    await this.throttle.countTry('sign_in', session.id);
    if (password !== undefined) await this.requirePassword(user, password, context);
    else await this.steps.check(user, session.id, context, () => this.useFactor(user, proof));
    const renewed = await this.sessions.rotate(session, { isConfirmed: true });
    // Another request of the page has got another cookie meanwhile.
    if (!renewed) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return { cookies: { session: renewed }, data: {} };
  }

  private async requirePassword(user: User, password: string, context: RequestContext): Promise<void> {
    if (await this.users.isPassword(password, user)) return;
    await this.life.record(user, 'password_failed', context);
    throw new AppError('wrong_password', { field: 'password' });
  }

  private async useFactor(user: User, { session, code, response }: Proof): Promise<void> {
    if (code !== undefined)
      return /^\d{6}$/.test(code) ? this.factors.useTotp(user, code) : this.factors.useRecoveryCode(user, code);
    const challenge = (await this.stored.find(session.id))?.challenge;
    if (!challenge || !(await this.stored.takeChallenge(session.id, challenge))) throw new AppError('wrong_passkey');
    await this.passkeys.useSignature(user, challenge, response!);
  }
}
