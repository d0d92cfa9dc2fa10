import { useMutation } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { useSignedIn } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { useForm } from '../../design/fields/form.ts';
import { NewPasswordField } from '../../design/fields/new-password-field.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { Totp } from './totp.tsx';

const NO_PASSWORD = { password: '' };

function Password() {
  const { t } = useLanguage();
  const change = useMutation({
    mutationFn: (sent: typeof NO_PASSWORD) => dashboardApi.patch('/me/password', sent),
  });
  const { values, set, reset, submit } = useForm(NO_PASSWORD, (sent) => change.mutate(sent, { onSuccess: reset }));
  return (
    <form className="card stack" onSubmit={submit}>
      <NewPasswordField
        label={t('reset.newPassword')}
        value={values.password}
        onChange={(password) => set({ password })}
        error={fieldErrorOf(change.error, 'password')}
      />
      <ErrorNotice error={change.error} />
      {change.isSuccess && <Notice kind="success">{t('settings.passwordChanged')}</Notice>}
      <div>
        <Button kind="primary" type="submit" isPending={change.isPending}>
          {t('settings.changePassword')}
        </Button>
      </div>
    </form>
  );
}

function SignOutEverywhere() {
  const { t } = useLanguage();
  const signedIn = useSignedIn();
  const signOut = useMutation({
    mutationFn: () => dashboardApi.post('/sign-out-everywhere'),
    onSuccess: () => signedIn(null),
  });
  return (
    <Button isPending={signOut.isPending} onPress={() => signOut.mutate()}>
      {t('settings.signOutEverywhere')}
    </Button>
  );
}

/** Password, second factors and sessions of the user. */
export default function Security() {
  const { t } = useLanguage();
  return (
    <div className="settings-column">
      <Section title={t('settings.password')}>
        <Password />
      </Section>
      <Section title={t('settings.totp')} lead={t('settings.totpLead')}>
        <Totp />
      </Section>
      <Section title={t('settings.passkeys')} lead={t('settings.passkeysLead')}>
        <Passkeys />
      </Section>
      <Section title={t('settings.sessions')} actions={<SignOutEverywhere />}>
        <Sessions />
      </Section>
    </div>
  );
}
