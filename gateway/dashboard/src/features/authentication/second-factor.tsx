import { ApiError } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { dashboardApi } from '../../api/dashboard-api.ts';
import type { Me } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { VisitorForm } from './authentication-layout.tsx';

/** The ways to complete a sign-in after the password. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code';

/** The answer to a password, or to a link. */
export type SignInResult =
  | { readonly status: 'signed_in'; readonly me: Me }
  | { readonly status: 'second_factor_required'; readonly methods: readonly SecondFactorMethod[] };

interface Signed {
  readonly me: Me;
}

interface StepProps {
  readonly onSignedIn: (me: Me) => void;
}

/** Whether too many tries have failed, also those of others. */
const isLocked = (error: unknown): boolean =>
  error instanceof ApiError && ['sign_in_attempts', 'second_factor_locked'].includes(String(error.details.reason));

/** The link to sign in by mail, which no number of tries closes. It is shown after too many tries. */
export function ByLink({ error }: { error: unknown }) {
  const { t } = useLanguage();
  return (
    <p className="hint">
      <Link href="/sign-in-link">{t('signIn.byLink')}</Link> {isLocked(error) && t('signIn.linkWorks')}
    </p>
  );
}

/** Signs in by the passkey that the browser, or the device, offers. */
async function signInByPasskey(): Promise<Signed> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const optionsJSON = await dashboardApi.post<Options>('/sign-in/passkey/options');
  return dashboardApi.post<Signed>('/sign-in/passkey', { response: await startAuthentication({ optionsJSON }) });
}

function PasskeyStep({ onSignedIn }: StepProps) {
  const { t } = useLanguage();
  const signIn = useMutation({ mutationFn: signInByPasskey, onSuccess: ({ me }) => onSignedIn(me) });
  return (
    <div className="visitor-form">
      <p className="hint">{t('secondFactor.passkeyHint')}</p>
      <ErrorNotice error={signIn.error} />
      <Button kind="primary" isPending={signIn.isPending} onPress={() => signIn.mutate()}>
        {t('secondFactor.usePasskey')}
      </Button>
      {isLocked(signIn.error) && <ByLink error={signIn.error} />}
    </div>
  );
}

function CodeStep({ method, onSignedIn }: StepProps & { method: 'totp' | 'recovery_code' }) {
  const { t } = useLanguage();
  const isTotp = method === 'totp';
  const signIn = useMutation({
    mutationFn: ({ code }: { code: string }) =>
      dashboardApi.post<Signed>(isTotp ? '/sign-in/totp' : '/sign-in/recovery-code', { code: code.trim() }),
    onSuccess: ({ me }) => onSignedIn(me),
  });
  const { values, set, submit } = useForm({ code: '' }, (sent) => signIn.mutate(sent));
  return (
    <VisitorForm
      onSubmit={submit}
      sending={signIn}
      action={t('signIn.action')}
      more={isLocked(signIn.error) && <ByLink error={signIn.error} />}
    >
      <TextField
        label={isTotp ? t('secondFactor.code') : t('secondFactor.recoveryCode')}
        description={isTotp ? t('secondFactor.codeHint') : t('secondFactor.recoveryHint')}
        name="code"
        mono
        autoComplete="one-time-code"
        {...(isTotp ? { inputMode: 'numeric' as const } : {})}
        value={values.code}
        onChange={(code) => set({ code })}
        isRequired
        autoFocus
      />
    </VisitorForm>
  );
}

interface SecondFactorProps extends StepProps {
  readonly methods: readonly SecondFactorMethod[];
}

/** The second step of a sign-in, by any of the user's second factors. */
export function SecondFactor({ methods, onSignedIn }: SecondFactorProps) {
  const { t } = useLanguage();
  const [method, setMethod] = useState(methods.includes('passkey') ? 'passkey' : (methods[0] ?? 'totp'));
  const others = methods.filter((each) => each !== method);
  return (
    <div className="stack">
      {method === 'passkey' ? (
        <PasskeyStep onSignedIn={onSignedIn} />
      ) : (
        <CodeStep key={method} method={method} onSignedIn={onSignedIn} />
      )}
      {others.map((each) => (
        <Button key={each} kind="quiet" onPress={() => setMethod(each)}>
          {t(`secondFactor.use.${each}`)}
        </Button>
      ))}
    </div>
  );
}
