import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { meQuery, useMe } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ChangeDialog } from '../../design/change-dialog.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

interface Codes {
  readonly recovery_codes: readonly string[];
}

function ConfirmForm({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useLanguage();
  const confirm = useMutation({
    mutationFn: (code: string) => dashboardApi.post<Codes>('/totp/confirm', { code: code.replaceAll(' ', '') }),
  });
  const { values, set, submit } = useForm({ code: '' }, ({ code }) => confirm.mutate(code));
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onClose} />;
  return (
    <Dialog title={t('settings.totpAdd')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{t('settings.totpScan')}</p>
        <QrCode text={secret.otpauth_url} label={t('settings.totpScan')} />
        <p className="hint">
          {t('settings.totpType')} <code>{secret.secret}</code>
        </p>
        <TextField
          label={t('secondFactor.code')}
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          value={values.code}
          onChange={(code) => set({ code })}
          isRequired
        />
        <ErrorNotice error={confirm.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={confirm.isPending}>
            {t('settings.turnOn')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function TurnedOn({ codesLeft, onChanged }: { codesLeft: number; onChanged: () => void }) {
  const { t } = useLanguage();
  const [opened, setOpened] = useState<'off' | 'codes' | null>(null);
  const turnOff = useMutation({
    mutationFn: () => dashboardApi.remove('/totp'),
    onSuccess: onChanged,
  });
  const renew = useMutation({
    mutationFn: () => dashboardApi.post<Codes>('/recovery-codes'),
    onSuccess: onChanged,
  });
  const close = () => setOpened(null);
  if (renew.data) return <RecoveryCodes codes={renew.data.recovery_codes} onClose={renew.reset} />;
  const action = opened === 'off' ? turnOff : renew;
  return (
    <div className="card row">
      <Badge tone="success">{t('settings.on')}</Badge>
      <span className="hint settings-grow">{t('settings.codesLeft', { count: codesLeft })}</span>
      <Button onPress={() => setOpened('codes')}>{t('settings.newCodes')}</Button>
      <Button onPress={() => setOpened('off')}>{t('settings.turnOff')}</Button>
      {opened && (
        <ChangeDialog
          title={opened === 'off' ? `${t('settings.totp')}: ${t('settings.turnOff')}` : t('settings.newCodes')}
          change={action}
          onContinue={() => action.mutate(undefined, { onSuccess: close })}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Codes of an authenticator app as a second factor. */
export function Totp() {
  const { t } = useLanguage();
  const { totp, recovery_codes_left: codesLeft } = useMe().user.second_factors;
  const queries = useQueryClient();
  const changed = () => void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  const begin = useMutation({
    mutationFn: () => dashboardApi.post<Secret>('/totp'),
  });
  const close = () => {
    begin.reset();
    changed();
  };
  if (totp && !begin.data) return <TurnedOn codesLeft={codesLeft} onChanged={changed} />;
  return (
    <>
      <div className="card row">
        <Badge>{t('settings.off')}</Badge>
        <span className="settings-grow" />
        <Button kind="primary" isPending={begin.isPending} onPress={() => begin.mutate()}>
          {t('settings.totpAdd')}
        </Button>
      </div>
      <ErrorNotice error={begin.error} />
      {begin.data && <ConfirmForm secret={begin.data} onClose={close} />}
    </>
  );
}
