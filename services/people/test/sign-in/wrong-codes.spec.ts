import { describe, expect, it } from '@jest/globals';
import {
  beginTotp,
  changePassword,
  confirmTotp,
  listActivity,
  requestSignInLink,
  signIn,
  signInWithLink,
  signInWithRecoveryCode,
  signInWithTotp,
} from '@swim/contracts';
import { parseCookieToken } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { Secret, TOTP } from 'otpauth';
import { call, users } from '../shared-users.js';
import { cookieIn, PASSWORD, type SignedIn } from '../user-harness.js';

const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
const network = '192.0.2.0/24';

/** An owner with an authenticator app, and ways through the second step. */
async function aProtectedOwner() {
  const owner = await users.anOwner();
  const { secret } = await call(beginTotp, {}, owner);
  const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
  const confirmed = await call(confirmTotp, { session: owner.cookie, code: codeAt(Date.now()) }, owner);
  const recovery = confirmed.data.recovery_codes;
  return {
    owner: { ...owner, cookie: cookieIn(confirmed) } as SignedIn,
    /** A code of next week. */
    wrong: codeAt(Date.now() + 604_800_000),
    right: () => recovery.pop()!,
    begin: async (devices: string[] = []) =>
      pendingIn(await call(signIn, { email: owner.email, password: PASSWORD, devices })),
  };
}
const pendingIn = ({ cookies }: { cookies: { secondFactor?: { token: string } | null | undefined } }) =>
  parseCookieToken('usi', cookies.secondFactor!.token)!;
const setCount = ({ me }: SignedIn, wrongCodes: number) =>
  users.documents('users').updateOne({ _id: me.user.id }, { $set: { wrongCodes, noticedCodes: wrongCodes } });
const countOf = async ({ me }: SignedIn) =>
  ((await users.documents('users').findOne({ _id: me.user.id })) as unknown as { wrongCodes: number }).wrongCodes;

describe('wrong codes at the second step', () => {
  it('are in the activity of the account, and after five the user is notified', async () => {
    const { owner, begin, wrong } = await aProtectedOwner();
    const enter = async (pending: Awaited<ReturnType<typeof begin>>) =>
      reasonOf(call(signInWithTotp, { pending, code: wrong }, { network }));
    const [one, other] = [await begin(), await begin()];
    for (let time = 0; time < 4; time++) expect(await enter(one)).toBe('wrong_code');
    const notices = { purpose: 'wrong_codes', readers: owner.me.account.id } as object;
    expect(await users.documents('user_links').countDocuments(notices)).toBe(0);
    expect(await enter(other)).toBe('wrong_code');
    expect(await users.mailTo(owner.email, 'wrong_codes')).toMatchObject({ token: null });
    const { items } = await call(listActivity, {}, owner);
    const failed = items.filter(({ action }) => action === 'second_factor_failed');
    expect(failed).toHaveLength(5);
    expect(failed[0]).toMatchObject({ user_id: owner.me.user.id, address_network: network });
  });

  it('are a hundred in all, of concurrent sign-ins too: second_factor_locked', async () => {
    const { owner, begin, right, wrong } = await aProtectedOwner();
    await setCount(owner, 94);
    const pendings = [await begin(), await begin()];
    const late = await begin();
    const tries = pendings.flatMap((pending) =>
      Array.from({ length: 5 }, () => reasonOf(call(signInWithTotp, { pending, code: wrong }))),
    );
    const reasons = (await Promise.all(tries)).sort();
    // One of several concurrent changes of the factors may ask to be repeated.
    expect(reasons.filter((reason) => reason === 'second_factor_locked')).toHaveLength(4);
    expect(await reasonOf(call(signInWithRecoveryCode, { pending: late, code: right() }))).toBe('second_factor_locked');
    expect(await reasonOf(begin())).toBe('second_factor_locked');
  });

  it('of others keep out neither a browser in which the user has signed in, nor a link by mail', async () => {
    const { owner, begin, right, wrong } = await aProtectedOwner();
    const signedIn = await call(signInWithRecoveryCode, { pending: await begin(), code: right() });
    expect(await countOf(owner)).toBe(0);
    await setCount(owner, 100);
    expect(await reasonOf(begin())).toBe('second_factor_locked');
    const known = await begin([signedIn.cookies.device!]);
    expect(await reasonOf(call(signInWithTotp, { pending: known, code: wrong }))).toBe('wrong_code');
    const again = await call(signInWithRecoveryCode, { pending: known, code: right() });
    expect(again.data.status).toBe('signed_in');
    await call(requestSignInLink, { email: owner.email });
    const token = await users.tokenTo(owner.email, 'sign_in');
    const pending = pendingIn(await call(signInWithLink, { token }));
    expect((await call(signInWithRecoveryCode, { pending, code: right() })).data.status).toBe('signed_in');
  });

  it('are a hundred for a browser in which the user has signed in', async () => {
    const { begin, right, wrong } = await aProtectedOwner();
    const { cookies } = await call(signInWithRecoveryCode, { pending: await begin(), code: right() });
    const enter = async () => reasonOf(call(signInWithTotp, { pending: await begin([cookies.device!]), code: wrong }));
    expect(await enter()).toBe('wrong_code');
    const counts = users.documents('sign_in_counts');
    await counts.updateMany({ _id: { $regex: '^second_step:' } } as object, { $set: { count: 100 } });
    expect(await enter()).toBe('second_factor_locked');
  });

  it('are counted anew once the user has set another password', async () => {
    const { owner, begin } = await aProtectedOwner();
    await setCount(owner, 100);
    const input = { session: owner.cookie, password: PASSWORD };
    await call(changePassword, input, owner);
    await begin();
    expect(await countOf(owner)).toBe(0);
  });
});
