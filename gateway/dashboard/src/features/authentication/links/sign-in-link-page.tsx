import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { ErrorNotice } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { AuthenticationLayout } from '../authentication-layout.tsx';
import { nextPath, useLinkToken } from '../next-path.ts';
import { SecondFactor, type SecondFactorMethod, type SignInResult } from '../second-factor.tsx';
import { LinkRequestForm } from './link-request-form.tsx';

/**
 * The page of a link that signs in once: it requests the link, and with the link acts when its button is pressed. Programs that look
 * at the links of mails open pages, but press nothing.
 */
export default function SignInLinkPage() {
  const { t } = useLanguage();
  const token = useLinkToken();
  const signedIn = useSignedIn();
  const search = useSearch();
  const [, navigate] = useLocation();
  const [methods, setMethods] = useState<readonly SecondFactorMethod[] | null>(null);
  const enter = (me: Me) => {
    signedIn(me);
    navigate(nextPath(search), { replace: true });
  };
  const follow = useMutation({
    mutationFn: () => dashboardApi.post<SignInResult>('/sign-in/link', { token }),
    onSuccess: (answer) => (answer.status === 'signed_in' ? enter(answer.me) : setMethods(answer.methods)),
  });
  if (methods) {
    return (
      <AuthenticationLayout title={t('secondFactor.title')} lead={t('secondFactor.lead')}>
        <SecondFactor methods={methods} onSignedIn={enter} />
      </AuthenticationLayout>
    );
  }
  return (
    <AuthenticationLayout
      title={t('signInLink.title')}
      lead={token ? t('signInLink.text') : t('signInLink.lead')}
      more={<Link href="/sign-in">{t('auth.toSignIn')}</Link>}
    >
      {token ? (
        <div className="visitor-form">
          <ErrorNotice error={follow.error} />
          <Button kind="primary" isPending={follow.isPending} onPress={() => follow.mutate()}>
            {t('signIn.action')}
          </Button>
        </div>
      ) : (
        <LinkRequestForm path="/sign-in/link/request" />
      )}
    </AuthenticationLayout>
  );
}
