import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AuthenticationLayout } from './authentication-layout.tsx';
import { useLinkToken } from './link-token.ts';

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
  const enter = useMutation({
    mutationFn: () => dashboardApi.post<Me | { me: Me }>(path, { token }),
    onSuccess: (answer) => {
      signedIn('me' in answer ? answer.me : answer);
      navigate('/', { replace: true });
    },
  });
  return (
    <AuthenticationLayout title={title} more={<Link href="/sign-in">{t('auth.toSignIn')}</Link>}>
      <div className="visitor-form">
        <p>{token ? text : t('auth.linkIncomplete')}</p>
        <ErrorNotice error={enter.error} />
        {token && (
          <Button kind="primary" isPending={enter.isPending} onPress={() => enter.mutate()}>
            {action}
          </Button>
        )}
      </div>
    </AuthenticationLayout>
  );
}
