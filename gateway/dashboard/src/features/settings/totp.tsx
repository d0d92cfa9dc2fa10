import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { meQuery, useMe } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields.tsx';
import { useForm } from '../../design/form.ts';
import { ErrorNotice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { PasswordDialog } from './password-dialog.tsx';
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
    mutationFn: (password: string) => dashboardApi.remove('/totp', { password }),
    onSuccess: onChanged,
  });
  const renew = useMutation({
    mutationFn: (password: string) => dashboardApi.post<Codes>('/recovery-codes', { password }),
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
        <PasswordDialog
          title={opened === 'off' ? t('settings.turnOff') : t('settings.newCodes')}
          error={action.error}
          isPending={action.isPending}
          onPassword={(password) => action.mutate(password, { onSuccess: close })}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Sets up an authenticator app once the password is entered. */
function TurnedOff({ begin }: { begin: UseMutationResult<Secret, unknown, string> }) {
  const { t } = useLanguage();
  const [isAsking, setAsking] = useState(false);
  const ask = () => {
    begin.reset();
    setAsking(true);
  };
  return (
    <div className="card row">
      <Badge>{t('settings.off')}</Badge>
      <span className="settings-grow" />
      <Button kind="primary" onPress={ask}>
        {t('settings.totpAdd')}
      </Button>
      {isAsking && (
        <PasswordDialog
          title={t('settings.totpAdd')}
          error={begin.error}
          isPending={begin.isPending}
          onPassword={(password) => begin.mutate(password, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** Codes of an authenticator app as a second factor. */
export function Totp() {
  const { totp, recovery_codes_left: codesLeft } = useMe().user.second_factors;
  const queries = useQueryClient();
  const changed = () => void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  const begin = useMutation({
    mutationFn: (password: string) => dashboardApi.post<Secret>('/totp', { password }),
  });
  const close = () => {
    begin.reset();
    changed();
  };
  if (totp && !begin.data) return <TurnedOn codesLeft={codesLeft} onChanged={changed} />;
  return (
    <>
      <TurnedOff begin={begin} />
      {begin.data && <ConfirmForm secret={begin.data} onClose={close} />}
    </>
  );
}
