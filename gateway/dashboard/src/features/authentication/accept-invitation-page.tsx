import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Me, useSignedIn } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields.tsx';
import { NewPasswordField } from '../../design/new-password-field.tsx';
import { ErrorNotice, fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AuthenticationLayout } from './authentication-layout.tsx';
import { useLinkToken } from './link-token.ts';

function AcceptForm({ token }: { token: string }) {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () => dashboardApi.post<Me | { me: Me }>('/invitations/accept', { token, name, password }),
    onSuccess: (answer) => {
      signedIn('me' in answer ? answer.me : answer);
      navigate('/', { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <form className="visitor-form" onSubmit={submit}>
      <TextField
        label={t('auth.name')}
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        error={fieldErrorOf(accept.error, 'name')}
        isRequired
      />
      <NewPasswordField
        label={t('auth.password')}
        value={password}
        onChange={setPassword}
        error={fieldErrorOf(accept.error, 'password')}
      />
      <ErrorNotice error={accept.error} />
      <Button kind="primary" type="submit" isPending={accept.isPending}>
        {t('invitation.accept')}
      </Button>
    </form>
  );
}

/** The page of an invitation: who has its link becomes a user of the account. */
export default function AcceptInvitationPage() {
  const { t } = useLanguage();
  const token = useLinkToken();
  return (
    <AuthenticationLayout title={t('invitation.title')} lead={t('invitation.lead')}>
      {token ? <AcceptForm token={token} /> : <p>{t('auth.linkIncomplete')}</p>}
    </AuthenticationLayout>
  );
}
