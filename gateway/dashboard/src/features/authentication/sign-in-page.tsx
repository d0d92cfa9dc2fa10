import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../api/me.ts';
import { Checkbox, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { useLanguage } from '../../texts/language.tsx';
import { AuthenticationLayout, EmailField, VisitorForm } from './authentication-layout.tsx';
import { nextPath, useLinkToken } from './next-path.ts';
import { ByLink, SecondFactor, type SecondFactorMethod, type SignInResult } from './second-factor.tsx';

const NOTHING = { email: '', password: '', remember: false };

interface PasswordProps {
  readonly onAnswer: (answer: SignInResult) => void;
}

function PasswordForm({ onAnswer }: PasswordProps) {
  const { t } = useLanguage();
  const signIn = useMutation({
    mutationFn: (sent: typeof NOTHING) => dashboardApi.post<SignInResult>('/sign-in', sent),
    onSuccess: onAnswer,
  });
  const { values, set, submit } = useForm(NOTHING, (sent) => signIn.mutate(sent));
  return (
    <VisitorForm onSubmit={submit} sending={signIn} action={t('signIn.action')} more={<ByLink error={signIn.error} />}>
      <EmailField autoComplete="username webauthn" value={values.email} onChange={(email) => set({ email })} />
      <TextField
        label={t('auth.password')}
        type="password"
        name="password"
        autoComplete="current-password"
        value={values.password}
        onChange={(password) => set({ password })}
        isRequired
      />
      <div className="visitor-between">
        <Checkbox isSelected={values.remember} onChange={(remember) => set({ remember })}>
          {t('signIn.remember')}
        </Checkbox>
        <Link href="/reset-password">{t('signIn.forgotten')}</Link>
      </div>
    </VisitorForm>
  );
}

/** The page to sign in: with a password, and then a second factor where the user has one. */
export default function SignInPage() {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const search = useSearch();
  // The invitation that led here is accepted once its user is signed in.
  const invitation = useLinkToken();
  const [, navigate] = useLocation();
  const [methods, setMethods] = useState<readonly SecondFactorMethod[] | null>(null);
  const enter = (me: Me) => {
    signedIn(me);
    navigate(invitation ? `/accept-invitation#token=${invitation}` : nextPath(search), { replace: true });
  };
  const take = (answer: SignInResult) =>
    answer.status === 'signed_in' ? enter(answer.me) : setMethods(answer.methods);
  if (methods) {
    return (
      <AuthenticationLayout title={t('secondFactor.title')} lead={t('secondFactor.lead')}>
        <SecondFactor methods={methods} onSignedIn={enter} />
      </AuthenticationLayout>
    );
  }
  const more = (
    <>
      {t('signIn.new')} <Link href="/sign-up">{t('signIn.signUp')}</Link>
    </>
  );
  return (
    <AuthenticationLayout title={t('signIn.title')} more={more}>
      <PasswordForm onAnswer={take} />
    </AuthenticationLayout>
  );
}
