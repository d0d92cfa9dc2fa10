import {
  acceptInvitation,
  addDemoBooking,
  addDemoMethod,
  addDemoPool,
  type CookieChanges,
  confirmSignUp,
  createInvitation,
  type DashboardMe,
  type InputOf,
  issueUserLink,
  type PresentedCookie,
  type Principal,
  type Role,
  sendUserLink,
  signUp,
  verifyUserSession,
} from '@swim/contracts';
import { AppError, parseCookieToken } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import { type PeopleHarness, startPeople, withRival } from './harness.js';

/** The password of every user. */
export const PASSWORD = 'correct horse battery';

/** A signed-in user, as the gateway knows it. */
export interface SignedIn {
  email: string;
  me: DashboardMe;
  cookie: PresentedCookie;
  principal: Principal;
}

/** The cookie that an answer sets. */
export const cookieIn = ({ cookies }: { cookies: CookieChanges }): PresentedCookie =>
  parseCookieToken('uss', cookies.session!.token)!;

/** The service people, with a fake of notification that keeps the links to send. */
export class UserHarness {
  private made = 0;

  private constructor(
    readonly people: PeopleHarness,
    private readonly linkIds: string[],
    /** Whether notification is down. */
    readonly notification: { isDown: boolean },
  ) {}

  static async start(triesPerNetwork = 100_000): Promise<UserHarness> {
    process.env.SIGN_IN_PER_NETWORK_PER_MINUTE = String(triesPerNetwork);
    const people = await startPeople();
    const { PasswordsService } = await import('../src/identity/users/passwords.service.js');
    // Hundreds of users sign in: hashes as slow as those of the product would be most of the processor time of the tests.
    Object.assign(people.service.app.get(PasswordsService, { strict: false }).cost, { memoryCost: 8, timeCost: 1 });
    const linkIds: string[] = [];
    const notification = { isDown: false };
    people.harness.serve(sendUserLink, ({ linkId }) => {
      if (notification.isDown) throw new AppError('unavailable');
      linkIds.push(linkId);
      return {};
    });
    // A sign-up needs only the demo data among what a reset requests.
    people.harness.serve(addDemoPool, ({ id }) => {
      people.pools.add(id);
      return {};
    });
    people.harness.serve(addDemoBooking, () => ({}));
    people.harness.serve(addDemoMethod, () => ({}));
    return new UserHarness(people, linkIds, notification);
  }

  /** Documents of the users' database. */
  documents(name: string) {
    return this.people.harness.database('people_users').collection<{ _id: string }>(name);
  }

  /** The error of work before each of whose writes the second factors of the user change. */
  async rejectionAmidChanges(work: () => Promise<unknown>): Promise<AppError> {
    const { FactorsRepository } = await import('../src/identity/second-factors/factors.repository.js');
    const repository = this.people.service.app.get(FactorsRepository, { strict: false });
    return rejectionOf(withRival(repository, this.documents('second_factors'), work, 'store'));
  }

  anAddress(): string {
    return `user-${++this.made}@example.test`;
  }

  signUpInput(email: string, changes: Partial<InputOf<typeof signUp>> = {}): InputOf<typeof signUp> {
    return {
      email,
      name: 'Rita Wave',
      account_name: 'Wave Swim School',
      kind: 'school',
      timezone: 'Europe/Berlin',
      locale: 'de',
      ...changes,
    };
  }

  /** What the next mail to an address says, once it is requested. */
  async mailTo(email: string, purpose: string) {
    return until(async () => {
      for (const linkId of this.linkIds.toReversed()) {
        const issued = await this.people.harness.call(issueUserLink, { linkId });
        if (issued?.email === email && issued.purpose === purpose) return issued;
      }
      return null;
    }, `a mail of the kind ${purpose} to ${email}`);
  }

  async tokenTo(email: string, purpose: string): Promise<string> {
    return (await this.mailTo(email, purpose)).token!;
  }

  /** A new account with its owner, signed in. */
  async anOwner(changes: Partial<InputOf<typeof signUp>> = {}): Promise<SignedIn> {
    const email = this.anAddress();
    await this.people.harness.call(signUp, this.signUpInput(email, changes));
    const token = await this.tokenTo(email, 'sign_up');
    return this.signedIn(email, await this.people.harness.call(confirmSignUp, { token, password: PASSWORD }));
  }

  /** A further user of the owner's account. */
  async aUser(owner: SignedIn, role: Role, instructor_id?: string): Promise<SignedIn> {
    const email = this.anAddress();
    await this.people.harness.call(createInvitation, { email, role, ...(instructor_id && { instructor_id }) }, owner);
    const token = await this.tokenTo(email, 'invitation');
    const input = { token, name: `A ${role}`, password: PASSWORD };
    return this.signedIn(email, await this.people.harness.call(acceptInvitation, input));
  }

  /** The principal of a cookie. */
  async principalOf({ id, digest }: PresentedCookie, env: 'live' | 'test' = 'live'): Promise<Principal> {
    const input = { sessionId: id, digest, env };
    return (await this.people.harness.call(verifyUserSession, input)).principal;
  }

  async signedIn(email: string, answer: { cookies: CookieChanges; data: DashboardMe }): Promise<SignedIn> {
    const cookie = cookieIn(answer);
    return { email, me: answer.data, cookie, principal: await this.principalOf(cookie) };
  }

  stop(): Promise<void> {
    return this.people.stop();
  }
}
