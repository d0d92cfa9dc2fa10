import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { fieldErrorOf } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { AuthenticationLayout, VisitorForm } from './authentication-layout.tsx';
import { CURRENCIES, currencyIn } from './currencies.ts';

const KINDS = ['school', 'family'] as const;

interface Values {
  readonly kind: (typeof KINDS)[number];
  readonly currency: string;
  readonly account_name: string;
  readonly name: string;
  readonly email: string;
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const START: Values = {
  kind: 'school',
  currency: currencyIn(timeZone),
  account_name: '',
  name: '',
  email: '',
};

interface FormProps {
  readonly onSent: (email: string) => void;
}

const FIELDS = [
  { key: 'name', label: 'auth.name', autoComplete: 'name', type: 'text' },
  { key: 'email', label: 'auth.email', autoComplete: 'email', type: 'email' },
] as const;

function SignUpForm({ onSent }: FormProps) {
  const { t, locale, tag } = useLanguage();
  const names = new Intl.DisplayNames(tag, { type: 'currency' });
  const signUp = useMutation({
    mutationFn: (sent: Values) => dashboardApi.post('/sign-up', { ...sent, timezone: timeZone, locale }),
    onSuccess: (_, { email }) => onSent(email),
  });
  const { values, set, submit } = useForm(START, (sent) => signUp.mutate(sent));
  return (
    <VisitorForm onSubmit={submit} sending={signUp} action={t('signUp.action')}>
      <Choice
        label={t('signUp.kind')}
        value={values.kind}
        onChange={(kind) => set({ kind })}
        options={KINDS.map((value) => ({ value, label: t(`signUp.kind.${value}`) }))}
      />
      <TextField
        label={t(`signUp.accountName.${values.kind}`)}
        name="account_name"
        autoComplete="organization"
        value={values.account_name}
        onChange={(name) => set({ account_name: name })}
        error={fieldErrorOf(signUp.error, 'account_name')}
        isRequired
      />
      {FIELDS.map(({ key, label, ...field }) => (
        <TextField
          key={key}
          {...field}
          label={t(label)}
          name={key}
          value={values[key]}
          onChange={(text) => set({ [key]: text })}
          error={fieldErrorOf(signUp.error, key)}
          isRequired
        />
      ))}
      <Choice
        label={t('signUp.currency')}
        description={t('signUp.currencyHint')}
        value={values.currency}
        onChange={(currency) => set({ currency })}
        options={CURRENCIES.map((value) => ({ value, label: `${value} – ${names.of(value)}` }))}
        error={fieldErrorOf(signUp.error, 'currency')}
      />
    </VisitorForm>
  );
}

/** The page to sign up: it makes an account, live and sandbox, once its address is confirmed. */
export default function SignUpPage() {
  const { t } = useLanguage();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const more = (
    <>
      {t('signUp.known')} <Link href="/sign-in">{t('signIn.action')}</Link>
    </>
  );
  if (sentTo !== null) {
    return (
      <AuthenticationLayout title={t('mailSent.title')} more={more}>
        <p>{t('mailSent.text', { email: sentTo })}</p>
      </AuthenticationLayout>
    );
  }
  return (
    <AuthenticationLayout title={t('signUp.title')} lead={t('signUp.lead')} more={more}>
      <SignUpForm onSent={setSentTo} />
    </AuthenticationLayout>
  );
}
