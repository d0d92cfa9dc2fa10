import type { Me } from '../../api/me.ts';

/** The ways to complete a sign-in after the password. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code';

/** What a password, or a link, leads to. */
export type SignInResult =
  | { readonly status: 'signed_in'; readonly me: Me }
  | { readonly status: 'second_factor_required'; readonly methods: readonly SecondFactorMethod[] };
