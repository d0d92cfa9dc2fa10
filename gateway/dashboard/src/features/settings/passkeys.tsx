import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { ChangeDialog } from '../../design/change-dialog.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

interface Added {
  /** With the first second factor; null otherwise. */
  readonly recovery_codes: readonly string[] | null;
}

const QUERY = ['passkeys'];

/** Makes a passkey on the device of the user, and registers it. */
async function addPasskey({ name }: { name: string }): Promise<Added> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const optionsJSON = await dashboardApi.post<Options>('/passkeys/options');
  return dashboardApi.post<Added>('/passkeys', { name, response: await startRegistration({ optionsJSON }) });
}

function usePasskeyChanges() {
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([QUERY, meQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const add = useMutation({ mutationFn: addPasskey, onSuccess });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => dashboardApi.patch(`/passkeys/${id}`, { name }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: string) => dashboardApi.remove(`/passkeys/${id}`),
    onSuccess,
  });
  return { add, rename, remove };
}

type Changes = ReturnType<typeof usePasskeyChanges>;

/** Adds a passkey, and shows the recovery codes that come with the first one. */
function AddPasskey({ add }: Pick<Changes, 'add'>) {
  const { t } = useLanguage();
  const { values, set, reset, submit } = useForm({ name: '' }, (sent) => add.mutate(sent, { onSuccess: reset }));
  const codes = add.data?.recovery_codes;
  return (
    <>
      <form className="row passkey-form" onSubmit={submit}>
        <TextField
          label={t('settings.passkeyName')}
          value={values.name}
          onChange={(name) => set({ name })}
          isRequired
        />
        <Button kind="primary" type="submit" isPending={add.isPending}>
          {t('settings.passkeyAdd')}
        </Button>
      </form>
      <ErrorNotice error={add.error} />
      {codes && <RecoveryCodes codes={codes} onClose={add.reset} />}
    </>
  );
}

function RenameDialog({
  passkey,
  rename,
  onClose,
}: Pick<Changes, 'rename'> & { passkey: Passkey; onClose: () => void }) {
  const { t } = useLanguage();
  const { id, name: former } = passkey;
  const { values, set, submit } = useForm({ name: former }, ({ name }) =>
    rename.mutate({ id, name }, { onSuccess: onClose }),
  );
  return (
    <Dialog title={t('settings.passkeyRename', { name: former })} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('settings.passkeyName')}
          value={values.name}
          onChange={(name) => set({ name })}
          isRequired
          autoFocus
        />
        <ErrorNotice error={rename.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={rename.isPending}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type Opened = { readonly dialog: 'rename' | 'remove'; readonly passkey: Passkey } | null;

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (opened: Opened) => void }) {
  const { t } = useLanguage();
  const { name, created_at: createdAt, last_used_at: usedAt } = passkey;
  return (
    <li className="row">
      <span className="settings-grow">
        <strong>{name}</strong>{' '}
        <span className="hint">
          {usedAt && `${t('settings.passkeyUsed')} `}
          <Instant at={usedAt ?? createdAt} />
        </span>
      </span>
      <Button small onPress={() => onOpen({ dialog: 'rename', passkey })}>
        {t('settings.rename')}
      </Button>
      <Button small onPress={() => onOpen({ dialog: 'remove', passkey })}>
        {t('action.remove')}
      </Button>
    </li>
  );
}

/** No browser makes passkeys for an IP address; the same page at `localhost` is one where it does. */
function HostNotice() {
  const { t } = useLanguage();
  const { hostname, protocol, port, pathname } = window.location;
  if (!/^127\./.test(hostname)) return null;
  const url = `${protocol}//localhost${port ? `:${port}` : ''}${pathname}`;
  return (
    <Notice kind="warning">
      {t('settings.passkeyHost')} <a href={url}>{url}</a>
    </Notice>
  );
}

/** The passkeys of the user. */
export function Passkeys() {
  const { t } = useLanguage();
  const query = useQuery({ queryKey: QUERY, queryFn: () => dashboardApi.get<Passkey[]>('/passkeys') });
  const { add, rename, remove } = usePasskeyChanges();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <div className="card stack">
      <Shown query={query}>
        {(passkeys) => (
          <ul className="plain-list settings-list">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpened} />
            ))}
          </ul>
        )}
      </Shown>
      <HostNotice />
      <AddPasskey add={add} />
      {opened?.dialog === 'rename' && <RenameDialog passkey={opened.passkey} rename={rename} onClose={close} />}
      {opened?.dialog === 'remove' && (
        <ChangeDialog
          title={t('settings.passkeyRemove', { name: opened.passkey.name })}
          change={remove}
          onContinue={() => remove.mutate(opened.passkey.id, { onSuccess: close })}
          onClose={close}
        />
      )}
    </div>
  );
}
