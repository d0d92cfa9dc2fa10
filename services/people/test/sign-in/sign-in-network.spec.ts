import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type InputOf, type Operation, requestPasswordReset, signIn, signUp } from '@swim/contracts';
import { rejectionOf, until } from '@swim/testing';
import { PASSWORD, type SignedIn, UserHarness } from '../user-harness.js';

const TRIES = 5;
const [NETWORK, OTHER_NETWORK] = ['192.0.2.0/24', '198.51.100.0/24'];

let users: UserHarness;
let owner: SignedIn;
let device: string;
beforeAll(async () => {
  users = await UserHarness.start(TRIES);
  owner = await users.anOwner();
  const signedIn = await users.people.harness.call(signIn, { email: owner.email, password: PASSWORD });
  device = signedIn.cookies.device!;
});
afterAll(() => users?.stop());

/** Requests an operation of a visitor from a network until it is rejected for the number of tries; returns that number. */
async function triesOf<O extends Operation>(operation: O, inputOf: () => InputOf<O>, network: string): Promise<number> {
  let tries = 0;
  await until(async () => {
    tries += 1;
    const [outcome] = await Promise.allSettled([users.people.harness.call(operation, inputOf(), { network })]);
    return outcome.status === 'rejected' && (outcome.reason as { reason: string }).reason === 'sign_in_attempts';
  }, 'the network is limited');
  return tries;
}

it.each([
  ['a sign-in', signIn, () => ({ email: users.anAddress(), password: 'wrong password' })],
  ['a sign-up', signUp, () => users.signUpInput(users.anAddress())],
  ['a password reset', requestPasswordReset, () => ({ email: users.anAddress() })],
] as const)(
  '%s is limited for a network, whatever addresses it tries, but not for another one, nor where the user has signed in before',
  async (_, operation, input) => {
    // More when a clock minute ends meanwhile; fewer when the case before was in the same one.
    expect(
      await triesOf(operation as typeof signIn, input as () => InputOf<typeof signIn>, NETWORK),
    ).toBeLessThanOrEqual(2 * TRIES + 1);
    // A browser in which the user has signed in before is not limited by its network.
    const isRight = { email: owner.email, password: PASSWORD, devices: [device] };
    expect((await users.people.harness.call(signIn, isRight, { network: NETWORK })).data.status).toBe('signed_in');
    const elsewhere = { email: users.anAddress(), password: 'wrong password' };
    const error = await rejectionOf(users.people.harness.call(signIn, elsewhere, { network: OTHER_NETWORK }));
    expect(error.reason).toBe('wrong_credentials');
  },
);
