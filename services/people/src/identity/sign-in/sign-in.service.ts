import { Inject, Injectable } from '@nestjs/common';
import {
  getDashboardMe,
  type OutputOf,
  type ParsedOf,
  requestSignInLink,
  signIn,
  signInWithLink,
  signOut,
  signOutEverywhere,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, newId, type RequestContext } from '@swim/platform';
import { UserLinksService } from '../links/user-links.service.js';
import { ThrottleService } from '../throttle/throttle.service.js';
import { type User, UsersService } from '../users/users.service.js';
import { DevicesService } from './devices.service.js';
import { SecondStepService, type SignInMode } from './second-step.service.js';
import { SessionLifeService } from './session-life.service.js';
import { UserSessionsService } from './user-sessions.service.js';

type SignedIn = OutputOf<typeof signIn>;

/** Signs users in and out. */
@Injectable()
export class SignInService {
  @Inject(SecondStepService) private readonly steps!: SecondStepService;
  @Inject(DevicesService) private readonly devices!: DevicesService;

  constructor(
    private readonly users: UsersService,
    private readonly sessions: UserSessionsService,
    private readonly links: UserLinksService,
    private readonly throttle: ThrottleService,
    private readonly life: SessionLifeService,
  ) {}

  /** Takes the same steps for an unknown address: it has the same answer, after the same time. */
  @Serve(signIn)
  async signIn(
    { email, password, remember, devices }: ParsedOf<typeof signIn>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signIn>> {
    const emailToken = await this.users.tokenOf(email);
    const user = await this.users.findByEmailToken(emailToken);
    const device = this.devices.find(devices, user);
    await this.throttle.countSignIn(emailToken, device, context);
    const isRight = await this.users.isPassword(password, user);
    // Not awaited: an unknown address, of which nothing is stored, has its answer after the same time.
    if (user && !isRight) void this.life.record(user, 'sign_in_failed', context).catch(() => undefined);
    if (!user || !isRight) throw new AppError('wrong_credentials');
    return this.begin(user, { isKept: remember, device }, context);
  }

  /** Stores a link for any address: whether it has a user is looked up when the link is sent. */
  @Serve(requestSignInLink)
  async requestLink(
    { email }: ParsedOf<typeof requestSignInLink>,
    context: RequestContext,
  ): Promise<OutputOf<typeof requestSignInLink>> {
    await this.throttle.countNetwork(context, 'link');
    const emailToken = await this.users.tokenOf(email);
    if (await this.throttle.mayMail('sign_in', emailToken))
      await this.links.insert({ id: newId('ulk'), purpose: 'sign_in', emailToken, isMailed: true });
    return { status: 'link_sent' };
  }

  @Serve(signInWithLink)
  async signInWithLink(
    { token }: ParsedOf<typeof signInWithLink>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithLink>> {
    const link = await this.links.open(token, 'sign_in');
    const user = await this.users.findByEmailToken(link.emailToken);
    await this.links.use(link);
    // Another password ends the links that were sent before.
    if (!user || user.passwordChangedAt > link.createdAt) throw new AppError('invalid_link', { field: 'token' });
    return this.begin(user, { isKept: false, device: link._id }, context);
  }

  @Serve(signOut)
  async signOut({ sessionId }: ParsedOf<typeof signOut>, context: RequestContext): Promise<OutputOf<typeof signOut>> {
    await this.life.end(sessionId, context);
    return SIGNED_OUT;
  }

  @Serve(signOutEverywhere)
  async signOutEverywhere(
    _: ParsedOf<typeof signOutEverywhere>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signOut>> {
    await this.life.endAll(await this.users.getOwn(context), 'signed_out_everywhere', context);
    return SIGNED_OUT;
  }

  /** The signed-in user; with another cookie where that is due. */
  @Serve(getDashboardMe)
  async describeMe(
    { session }: ParsedOf<typeof getDashboardMe>,
    context: RequestContext,
  ): Promise<OutputOf<typeof getDashboardMe>> {
    const user = await this.users.getOwn(context);
    const [data, renewed] = await Promise.all([this.users.describe(user), this.sessions.rotateWhenDue(session)]);
    return { cookies: renewed ? { session: renewed } : {}, data };
  }

  private async begin(user: User, how: SignInMode, context: RequestContext): Promise<SignedIn> {
    const step = await this.steps.begin(user, how);
    if (step) return step;
    const { cookies, me } = await this.life.startLast(user, how.isKept, context);
    return { cookies, data: { status: 'signed_in', me } };
  }
}

const SIGNED_OUT = { cookies: { session: null }, data: {} };
