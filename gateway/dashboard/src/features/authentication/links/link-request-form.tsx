import { useMutation } from '@tanstack/react-query';
import { dashboardApi } from '../../../api/dashboard-api.ts';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/fields.tsx';
import { useForm } from '../../../design/form.ts';
import { ErrorNotice } from '../../../design/notice.tsx';
import { useLanguage } from '../../../texts/language.tsx';

/** Requests a link by mail, to sign in or to set another password. */
export function LinkRequestForm({ path }: { path: '/password-reset' | '/sign-in/link/request' }) {
  const { t } = useLanguage();
  const request = useMutation({ mutationFn: (sent: { email: string }) => dashboardApi.post(path, sent) });
  const { values, set, submit } = useForm({ email: '' }, (sent) => request.mutate(sent));
  if (request.isSuccess) return <p>{t('mailSent.text', { email: values.email })}</p>;
  return (
    <form className="visitor-form" onSubmit={submit}>
      <TextField
        label={t('auth.email')}
        type="email"
        name="email"
        autoComplete="email"
        value={values.email}
        onChange={(email) => set({ email })}
        isRequired
      />
      <ErrorNotice error={request.error} />
      <Button kind="primary" type="submit" isPending={request.isPending}>
        {t('auth.sendLink')}
      </Button>
    </form>
  );
}
