import { describe, expect, it } from '@jest/globals';
import { changePassword, requestSignInLink, signIn, signInWithLink } from '@swim/contracts';
import { ofSeveralTries, rejectionOf, until } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { PASSWORD } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const signInAs = (email: string, password = PASSWORD, devices: string[] = []) =>
  call(signIn, { email, password, devices });
/** A user, and the token of a browser in which it has signed in. */
async function aKnownDevice() {
  const { email } = await users.anOwner();
  return { email, device: (await signInAs(email)).cookies.device! };
}
/** Tries wrong passwords until the tries of an address, or of a browser, are limited. */
const exhaust = (email: string, devices: string[] = []) =>
  until(
    async () => (await reasonOf(signInAs(email, 'wrong password', devices))) === 'sign_in_attempts',
    'it is limited',
  );
/** The reason for which the right password is rejected while the tries are limited. */
const whileLimited = (email: string, devices: string[]) =>
  until(async () => {
    // The tries begin anew if a clock minute ends meanwhile.
    await exhaust(email);
    const [outcome] = await Promise.allSettled([signInAs(email, PASSWORD, devices)]);
    return outcome.status === 'rejected' ? (outcome.reason as { reason: string }).reason : null;
  }, 'the right password is rejected');

describe('a browser in which a user has signed in', () => {
  it('is not kept out by the tries of others', async () => {
    const { email, device } = await aKnownDevice();
    expect(await whileLimited(email, [])).toBe('sign_in_attempts');
    expect((await signInAs(email, PASSWORD, ['forged.usr_1.x.y', device])).data.status).toBe('signed_in');
    expect(await reasonOf(signInAs(email, 'wrong password', [device]))).toBe('wrong_credentials');
  });

  it('is known for that user alone, and only by what the service has signed', async () => {
    const [{ email, device }, other] = [await aKnownDevice(), await aKnownDevice()];
    const changed = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const moved = other.device.replace(/usr_\w+/, /usr_\w+/.exec(device)![0]);
    expect(await whileLimited(email, [other.device, changed, moved])).toBe('sign_in_attempts');
  });

  it('has tries of its own, which are limited too', async () => {
    const { email, device } = await aKnownDevice();
    await exhaust(email, [device]);
    expect((await signInAs(email)).data.status).toBe('signed_in');
  });
});

describe('a link to sign in', () => {
  const request = (email: string) => call(requestSignInLink, { email });

  it('works while the tries of the address are limited, once, and makes the browser known', async () => {
    const { email } = await users.anOwner();
    await whileLimited(email, []);
    expect(await request(email)).toEqual({ status: 'link_sent' });
    const token = await users.tokenTo(email, 'sign_in');
    const { data, cookies } = await call(signInWithLink, { token });
    expect(data.me?.user.email).toBe(email);
    expect((await signInAs(email, PASSWORD, [cookies.device!])).data.status).toBe('signed_in');
    expect(await reasonOf(call(signInWithLink, { token }))).toBe('invalid_link');
  });

  // A clock hour may end meanwhile.
  it('is sent five times an hour to an address; the answer is the same for more, and for an unknown one', () =>
    ofSeveralTries(async () => {
      const { email } = await users.anOwner();
      for (const address of [email, users.anAddress()])
        for (let time = 0; time < 7; time++) expect(await request(address)).toEqual({ status: 'link_sent' });
      const sent = users.documents('user_links');
      const { emailToken } = (await sent.findOne({ purpose: 'sign_in' } as object, {
        sort: { _id: -1 },
      })) as unknown as { emailToken: string };
      expect(await sent.countDocuments({ purpose: 'sign_in', emailToken } as object)).toBe(5);
    }));

  it('is ended by another password', async () => {
    const owner = await users.anOwner();
    await request(owner.email);
    const token = await users.tokenTo(owner.email, 'sign_in');
    const change = { session: owner.cookie, password: 'another long password' };
    await call(changePassword, change, owner);
    expect(await reasonOf(call(signInWithLink, { token }))).toBe('invalid_link');
  });
});
