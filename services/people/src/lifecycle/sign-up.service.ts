import { Inject, Injectable } from '@nestjs/common';
import { confirmSignUp, ENVIRONMENTS, type OutputOf, type ParsedOf, signUp } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, inEnvironment, newId, type RequestContext } from '@swim/platform';
import { AccountsService } from '../identity/accounts/accounts.service.js';
import { accountIdOf, UserLinksService, userIdOf } from '../identity/links/user-links.service.js';
import { SessionLifeService } from '../identity/sign-in/session-life.service.js';
import { ThrottleService } from '../identity/throttle/throttle.service.js';
import { UsersService } from '../identity/users/users.service.js';
import { AccountResetsService } from './sandbox/account-resets.service.js';

const CURRENCY = 'USD';

/** Sign-ups: each makes an account in both environments, with its owner, once the address is confirmed. */
@Injectable()
export class SignUpService {
  @Inject(AccountResetsService) private readonly resets!: AccountResetsService;

  constructor(
    private readonly links: UserLinksService,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
  ) {}

  /** Does the same work for a known address, which gets another message. */
  @Serve(signUp)
  async request(input: ParsedOf<typeof signUp>, context: RequestContext): Promise<OutputOf<typeof signUp>> {
    await this.throttle.countNetwork(context);
    const { name, email, account_name: accountName, kind, timezone, locale, currency = CURRENCY } = input;
    const emailToken = await this.users.tokenOf(email);
    const content = { name, email, accountName, kind, timezone, locale, currency };
    if (await this.throttle.mayMail('sign_up', emailToken)) {
      const id = newId('ulk');
      await this.links.insert({ id, purpose: 'sign_up', emailToken, content, isMailed: true });
      await this.links.endSignUpsBefore(id, emailToken);
    }
    return { status: 'confirmation_sent' };
  }

  /**
   * The user comes first, whose address is unique; then the accounts, whose ids follow from the link. A crash before the link
   * is ended leaves it valid: confirmed once more, it completes what is missing.
   */
  @Serve(confirmSignUp)
  async confirm(
    { token, password }: ParsedOf<typeof confirmSignUp>,
    context: RequestContext,
  ): Promise<OutputOf<typeof confirmSignUp>> {
    const link = await this.links.open(token, 'sign_up');
    const { name, email, accountName, kind, timezone, locale, currency } = await this.links.contentOf(link);
    const accountId = accountIdOf(link);
    const user = await this.users.insert({
      id: userIdOf(link),
      accountId,
      name,
      email,
      role: 'owner',
      instructor: null,
      locale,
      passwordHash: await this.users.hashPassword(password),
    });
    if (!user) throw new AppError('invalid_link', { field: 'token' });
    for (const env of ENVIRONMENTS) {
      await inEnvironment(env, async () => {
        await this.accounts.open({ id: accountId, name: accountName, email, kind, timezone, currency, locale });
        await this.accounts.confirmEmail(accountId, email);
      });
    }
    await inEnvironment('test', () => this.resets.fill(accountId));
    await this.links.use(link);
    const { cookies, me } = await this.life.start(user, false, context, 'signed_up');
    return { cookies, data: me };
  }
}
