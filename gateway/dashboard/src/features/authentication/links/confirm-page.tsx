import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../../api/me.ts';
import { useForm } from '../../../design/fields/form.ts';
import { NewPasswordField } from '../../../design/fields/new-password-field.tsx';
import { fieldErrorOf } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { AuthenticationLayout, VisitorForm } from '../authentication-layout.tsx';
import { useLinkToken } from '../next-path.ts';

/** Only the reader of the address's mails chooses the password: the sign-up has none. */
function PasswordForm({ token }: { token: string }) {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const confirm = useMutation({
    mutationFn: (sent: { password: string }) => dashboardApi.post<Me>('/confirm', { token, ...sent }),
    onSuccess: (me) => {
      signedIn(me);
      navigate('/', { replace: true });
    },
  });
  const { values, set, submit } = useForm({ password: '' }, (sent) => confirm.mutate(sent));
  return (
    <VisitorForm onSubmit={submit} sending={confirm} action={t('confirm.action')}>
      <NewPasswordField
        label={t('auth.password')}
        value={values.password}
        onChange={(password) => set({ password })}
        error={fieldErrorOf(confirm.error, 'password')}
      />
    </VisitorForm>
  );
}

/** The page of the link that confirms an address and makes its account. */
export default function ConfirmPage() {
  const { t } = useLanguage();
  const token = useLinkToken();
  return (
    <AuthenticationLayout
      title={t('confirm.title')}
      lead={token ? t('confirm.lead') : undefined}
      more={<Link href="/sign-in">{t('auth.toSignIn')}</Link>}
    >
      {token ? <PasswordForm token={token} /> : <p>{t('auth.linkIncomplete')}</p>}
    </AuthenticationLayout>
  );
}
