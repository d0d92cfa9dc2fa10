import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askForConfirmationBy } from '../api/client.ts';
import { dashboardApi } from '../api/dashboard-api.ts';
import { meQuery, useMe } from '../api/me.ts';
import { Button } from '../design/button.tsx';
import { Dialog, DialogActions } from '../design/dialog.tsx';
import { TextField } from '../design/fields/fields.tsx';
import { useForm } from '../design/fields/form.ts';
import { ErrorNotice } from '../design/notice.tsx';
import { useLanguage } from '../texts/language.tsx';

type Method = 'password' | 'totp' | 'passkey' | 'recovery_code';

/** Has the browser, or the device, sign by a passkey. */
async function signature(): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return startAuthentication({ optionsJSON: await dashboardApi.post<Options>('/confirmation/options') });
}

async function confirm(method: Method, typed: string): Promise<void> {
  if (method === 'passkey') await dashboardApi.post('/confirmation', { response: await signature() });
  else await dashboardApi.post('/confirmation', method === 'password' ? { password: typed } : { code: typed.trim() });
}

/** The ways in which the user can confirm that it is there. */
function useMethods(): Method[] {
  const { totp, passkeys, recovery_codes_left: codesLeft } = useMe().user.second_factors;
  return [
    'password',
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(codesLeft > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** The input for a method. */
function ProofField({ method, ...field }: { method: Method; value: string; onChange: (typed: string) => void }) {
  const { t } = useLanguage();
  if (method === 'passkey') return <p className="hint">{t('secondFactor.passkeyHint')}</p>;
  if (method === 'password')
    return (
      <TextField
        {...field}
        label={t('auth.password')}
        description={t('confirmation.noPassword')}
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
      />
    );
  const isTotp = method === 'totp';
  return (
    <TextField
      {...field}
      key={method}
      label={isTotp ? t('secondFactor.code') : t('secondFactor.recoveryCode')}
      description={isTotp ? t('secondFactor.codeHint') : t('secondFactor.recoveryHint')}
      inputMode={isTotp ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      mono
      isRequired
      autoFocus
    />
  );
}

function ConfirmationDialog({ onDecided }: { onDecided: (isConfirmed: boolean) => void }) {
  const { t } = useLanguage();
  const queries = useQueryClient();
  const methods = useMethods();
  const [method, setMethod] = useState<Method>('password');
  const send = useMutation({
    mutationFn: ({ typed }: { typed: string }) => confirm(method, typed),
    onSuccess: () => {
      onDecided(true);
      // One recovery code fewer may be left.
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const { values, set, submit } = useForm({ typed: '' }, (typed) => send.mutate(typed));
  const choose = (chosen: Method) => {
    send.reset();
    set({ typed: '' });
    setMethod(chosen);
  };
  const cancel = () => onDecided(false);
  return (
    <Dialog title={t('confirmation.title')} isOpen onClose={cancel}>
      <form className="stack" onSubmit={submit}>
        <p>{t('confirmation.lead')}</p>
        <ProofField method={method} value={values.typed} onChange={(typed) => set({ typed })} />
        <ErrorNotice error={send.error} />
        {methods
          .filter((each) => each !== method)
          .map((each) => (
            <Button key={each} kind="quiet" onPress={() => choose(each)}>
              {each === 'password' ? t('confirmation.usePassword') : t(`secondFactor.use.${each}`)}
            </Button>
          ))}
        <DialogActions onCancel={cancel}>
          <Button kind="primary" type="submit" isPending={send.isPending}>
            {t('confirmation.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Asks the user for a confirmation whenever a request of any page needs one. */
export function Confirmation() {
  const [decide, setDecide] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => askForConfirmationBy(() => new Promise((resolve) => setDecide(() => resolve))), []);
  // Also when the pages of the user are left: no request waits for ever.
  useEffect(() => () => decide?.(false), [decide]);
  if (!decide) return null;
  const onDecided = (isConfirmed: boolean) => {
    decide(isConfirmed);
    setDecide(null);
  };
  return <ConfirmationDialog onDecided={onDecided} />;
}
