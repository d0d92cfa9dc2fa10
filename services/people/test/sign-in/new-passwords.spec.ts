import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  changePassword,
  confirmSignUp,
  createInvitation,
  finishPasswordReset,
  requestPasswordReset,
  signIn,
  signUp,
} from '@swim/contracts';
import { rejectionOf } from '@swim/testing';
import { call, users } from '../shared-users.js';
import { PASSWORD } from '../user-harness.js';

describe('a password', () => {
  it('is the same however its characters are composed', async () => {
    const email = users.anAddress();
    await call(signUp, users.signUpInput(email));
    const token = await users.tokenTo(email, 'sign_up');
    await call(confirmSignUp, { token, password: 'Ba\u0308der \uff11\uff12 O\ufb03ce' });
    const answer = await call(signIn, { email, password: 'B\u00e4der 12 Office' });
    expect(answer.data.status).toBe('signed_in');
  });

  it('has ten characters once it is composed', async () => {
    const attempt = call(confirmSignUp, { token: 'any', password: 'a\u0308'.repeat(5) });
    expect(await rejectionOf(attempt)).toMatchObject({ reason: 'too_short', details: { field: 'password' } });
  });

  it.each(['1234567890', 'QwertyUiop', '\uff11234567890'])(
    'that is among the most common ones is set nowhere: %s',
    async (password) => {
      const email = users.anAddress();
      await call(signUp, users.signUpInput(email));
      const confirmation = { token: await users.tokenTo(email, 'sign_up') };
      const owner = await users.anOwner();
      const invited = users.anAddress();
      await call(createInvitation, { email: invited, role: 'viewer' }, owner);
      const invitation = { token: await users.tokenTo(invited, 'invitation'), name: 'Vera' };
      await call(requestPasswordReset, { email: owner.email });
      const reset = { token: await users.tokenTo(owner.email, 'password_reset') };
      const change = { session: owner.cookie };
      for (const attempt of [
        () => call(confirmSignUp, { ...confirmation, password }),
        () => call(acceptInvitation, { ...invitation, password }),
        () => call(finishPasswordReset, { ...reset, password }),
        () => call(changePassword, { ...change, password }, owner),
      ])
        expect(await rejectionOf(attempt())).toMatchObject({
          reason: 'common_password',
          details: { field: 'password' },
        });
      // The links are as good as before.
      await call(confirmSignUp, { ...confirmation, password: PASSWORD });
      await call(acceptInvitation, { ...invitation, password: PASSWORD });
      await call(finishPasswordReset, { ...reset, password: 'another sentence' });
    },
  );
});
