import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { useForm } from '../../../design/fields/form.ts';
import { NewPasswordField } from '../../../design/fields/new-password-field.tsx';
import { fieldErrorOf } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { AuthenticationLayout, VisitorForm } from '../authentication-layout.tsx';
import { useLinkToken } from '../next-path.ts';
import { LinkRequestForm } from './link-request-form.tsx';

function PasswordForm({ token }: { token: string }) {
  const { t } = useLanguage();
  const finish = useMutation({
    mutationFn: (sent: { password: string }) => dashboardApi.post('/password-reset/finish', { token, ...sent }),
  });
  const { values, set, submit } = useForm({ password: '' }, (sent) => finish.mutate(sent));
  if (finish.isSuccess) return <p>{t('reset.done')}</p>;
  return (
    <VisitorForm onSubmit={submit} sending={finish} action={t('reset.finish')}>
      <NewPasswordField
        label={t('reset.newPassword')}
        value={values.password}
        onChange={(password) => set({ password })}
        error={fieldErrorOf(finish.error, 'password')}
      />
    </VisitorForm>
  );
}

/** The page of a forgotten password: it requests the link, and with the link sets another password. */
export default function ResetPasswordPage() {
  const { t } = useLanguage();
  const token = useLinkToken();
  return (
    <AuthenticationLayout
      title={t('reset.title')}
      lead={token ? undefined : t('reset.lead')}
      more={<Link href="/sign-in">{t('auth.toSignIn')}</Link>}
    >
      {token ? <PasswordForm token={token} /> : <LinkRequestForm path="/password-reset" />}
    </AuthenticationLayout>
  );
}
