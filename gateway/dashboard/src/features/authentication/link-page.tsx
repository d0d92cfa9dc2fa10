import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AuthenticationLayout } from './authentication-layout.tsx';
import { useLinkToken } from './link-token.ts';
import { SecondFactor } from './second-factor.tsx';
import type { SignInResult } from './sign-in-result.ts';

interface LinkPageProps {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/**
 * The page of a one-time link. It acts when its button is pressed: programs that look at the links of mails open pages, but press
 * nothing.
 */
export function LinkPage({ path, title, text, action }: LinkPageProps) {
  const { t } = useLanguage();
  const token = useLinkToken();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const [result, setResult] = useState<SignInResult | null>(null);
  const enter = (me: Me) => {
    signedIn(me);
    navigate('/', { replace: true });
  };
  const follow = useMutation({
    mutationFn: () => dashboardApi.post<Me | SignInResult>(path, { token }),
    onSuccess: (answer) => {
      if ('user' in answer) enter(answer);
      else if (answer.status === 'signed_in') enter(answer.me);
      else setResult(answer);
    },
  });
  if (result?.status === 'second_factor_required') {
    return (
      <AuthenticationLayout title={t('secondFactor.title')} lead={t('secondFactor.lead')}>
        <SecondFactor methods={result.methods} onSignedIn={enter} />
      </AuthenticationLayout>
    );
  }
  return (
    <AuthenticationLayout title={title} more={<Link href="/sign-in">{t('auth.toSignIn')}</Link>}>
      <div className="visitor-form">
        <p>{token ? text : t('auth.linkIncomplete')}</p>
        <ErrorNotice error={follow.error} />
        {token && (
          <Button kind="primary" isPending={follow.isPending} onPress={() => follow.mutate()}>
            {action}
          </Button>
        )}
      </div>
    </AuthenticationLayout>
  );
}
