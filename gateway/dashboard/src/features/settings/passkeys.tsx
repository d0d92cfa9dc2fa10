import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { Instant } from '../../design/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { PasswordDialog } from './password-dialog.tsx';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

const QUERY = ['passkeys'];

/** Makes a passkey on the device of the user, and registers it. */
async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const optionsJSON = await dashboardApi.post<Options>('/passkeys/options');
  await dashboardApi.post('/passkeys', { name, response: await startRegistration({ optionsJSON }) });
}

function usePasskeyChanges() {
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([QUERY, meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const add = useMutation({ mutationFn: addPasskey, onSuccess });
  const remove = useMutation({
    mutationFn: ({ id, password }: { id: string; password: string }) =>
      dashboardApi.remove(`/passkeys/${id}`, { password }),
    onSuccess,
  });
  return { add, remove };
}

function AddForm({ add }: { add: ReturnType<typeof usePasskeyChanges>['add'] }) {
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(name, { onSuccess: () => setName('') });
  };
  return (
    <form className="row passkey-form" onSubmit={submit}>
      <TextField label={t('settings.passkeyName')} value={name} onChange={setName} isRequired />
      <Button kind="primary" type="submit" isPending={add.isPending}>
        {t('settings.passkeyAdd')}
      </Button>
    </form>
  );
}

/** The passkeys of the user. */
export function Passkeys() {
  const { t } = useLanguage();
  const query = useQuery({ queryKey: QUERY, queryFn: () => dashboardApi.get<Passkey[]>('/passkeys') });
  const { add, remove } = usePasskeyChanges();
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const close = () => setRemoved(null);
  return (
    <div className="card stack">
      <Shown query={query}>
        {(passkeys) => (
          <ul className="plain-list settings-list">
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="row">
                <span className="settings-grow">
                  <strong>{passkey.name}</strong>{' '}
                  <span className="hint">
                    <Instant at={passkey.created_at} />
                  </span>
                </span>
                <Button small onPress={() => setRemoved(passkey)}>
                  {t('action.remove')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <AddForm add={add} />
      <ErrorNotice error={add.error} />
      {removed && (
        <PasswordDialog
          title={t('settings.passkeyRemove', { name: removed.name })}
          error={remove.error}
          isPending={remove.isPending}
          onPassword={(password) => remove.mutate({ id: removed.id, password }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </div>
  );
}
