import { ConflictError } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { textIn } from '../../api/client.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { meQuery, useMe, useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Section } from '../../design/page.tsx';
import { saveAs } from '../../design/save-as.ts';
import { Instant } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';

function useErasure() {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { account } = useMe();
  const queryKey = [environment, 'closing'];
  const onSuccess = () =>
    Promise.all([queryKey, meQuery.queryKey].map((each) => queries.invalidateQueries({ queryKey: each })));
  return {
    /** When a live account that is closing is erased; null for one that is not. Any change would be refused with it. */
    erasesAt: useQuery({
      queryKey,
      enabled: environment === 'live',
      queryFn: ({ signal }) =>
        client.accounts.update(account.id, { timezone: account.timezone }, { dryRun: true, signal }).then(
          () => null,
          (error: unknown) => {
            if (!(error instanceof ConflictError) || error.details.reason !== 'account_closing') throw error;
            return (error.details as { erases_at?: string }).erases_at ?? null;
          },
        ),
    }).data,
    erase: useMutation({ mutationFn: () => client.accounts.erase(account.id), onSuccess }),
    restore: useMutation({ mutationFn: () => client.accounts.restore(account.id), onSuccess }),
  };
}

type Erasure = ReturnType<typeof useErasure>;

function EraseDialog({ erase, onClose }: Pick<Erasure, 'erase'> & { onClose: () => void }) {
  const { t } = useLanguage();
  const environment = useEnvironment();
  const [, navigate] = useLocation();
  const { name } = useMe().account;
  const onSuccess = () => {
    onClose();
    // Nothing of the sandbox is left to show.
    if (environment === 'sandbox') navigate('~/dashboard/live/settings/account');
  };
  const { values, set, submit } = useForm({ name: '' }, () => erase.mutate(undefined, { onSuccess }));
  return (
    <Dialog title={t(`ownData.erase.${environment}`)} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Notice kind="warning">{t(`ownData.eraseText.${environment}`)}</Notice>
        <TextField
          label={`${t('members.eraseName')}: ${name}`}
          value={values.name}
          onChange={(typed) => set({ name: typed })}
          autoComplete="off"
          isRequired
          autoFocus
        />
        <ErrorNotice error={erase.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="danger" type="submit" isPending={erase.isPending} isDisabled={values.name.trim() !== name}>
            {t(`ownData.erase.${environment}`)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Ends the account, which is taken back as long as it is closing. */
function Erase() {
  const { t } = useLanguage();
  const environment = useEnvironment();
  const { erasesAt, erase, restore } = useErasure();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="card stack">
      {erasesAt ? (
        <Notice kind="warning">
          <p>
            {t('ownData.closing')} <Instant at={erasesAt} />
          </p>
        </Notice>
      ) : (
        <p>{t(`ownData.eraseText.${environment}`)}</p>
      )}
      <ErrorNotice error={restore.error} />
      <div>
        {erasesAt ? (
          <Button kind="primary" isPending={restore.isPending} onPress={() => restore.mutate()}>
            {t('ownData.restore')}
          </Button>
        ) : (
          <Button onPress={() => setOpen(true)}>{t(`ownData.erase.${environment}`)} …</Button>
        )}
      </div>
      {isOpen && <EraseDialog erase={erase} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** All that is stored of the account: its owner takes a copy of it, and ends it. */
export function OwnData() {
  const { t } = useLanguage();
  const environment = useEnvironment();
  const { id } = useMe().account;
  const mayErase = useScopes()('accounts:erase');
  const type = 'application/json';
  const copy = useMutation({
    mutationFn: () => textIn(environment, `/accounts/${id}/export`, type),
    onSuccess: (text) => saveAs(`${id}-${environment}.json`, text, type),
  });
  return (
    <>
      <Section title={t('ownData.title')} lead={t('ownData.lead')}>
        <ErrorNotice error={copy.error} />
        <div>
          <Button isPending={copy.isPending} onPress={() => copy.mutate()}>
            {t('ownData.download')}
          </Button>
        </div>
      </Section>
      {mayErase && (
        <Section title={t(`ownData.erase.${environment}`)}>
          <Erase />
        </Section>
      )}
    </>
  );
}
