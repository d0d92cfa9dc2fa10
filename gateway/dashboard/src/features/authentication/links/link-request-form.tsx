import { useMutation } from '@tanstack/react-query';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { useForm } from '../../../design/fields/form.ts';
import { useLanguage } from '../../../texts/language.tsx';
import { EmailField, VisitorForm } from '../authentication-layout.tsx';

/** Requests a link by mail, to sign in or to set another password. */
export function LinkRequestForm({ path }: { path: '/password-reset' | '/sign-in/link/request' }) {
  const { t } = useLanguage();
  const request = useMutation({ mutationFn: (sent: { email: string }) => dashboardApi.post(path, sent) });
  const { values, set, submit } = useForm({ email: '' }, (sent) => request.mutate(sent));
  if (request.isSuccess) return <p>{t('mailSent.text', { email: values.email })}</p>;
  return (
    <VisitorForm onSubmit={submit} sending={request} action={t('auth.sendLink')}>
      <EmailField autoComplete="email" value={values.email} onChange={(email) => set({ email })} />
    </VisitorForm>
  );
}
