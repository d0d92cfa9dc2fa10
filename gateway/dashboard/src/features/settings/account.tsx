import type { Account as AccountObject, UpdateAccountBody } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { meQuery, useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ZoneChoice } from '../../design/fields/zone-choice.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { OwnData } from './own-data.tsx';

function AccountForm({ account, queryKey }: { account: AccountObject; queryKey: readonly string[] }) {
  const { t } = useLanguage();
  const client = useClient();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: UpdateAccountBody) => client.accounts.update(account.id, body),
    onSuccess: (saved) => {
      queries.setQueryData(queryKey, saved);
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const { name, timezone, email, pending_email: pending } = account;
  const { values, set, submit } = useForm({ name, timezone, email: pending ?? email }, (sent) => {
    // An address that waits for its confirmation is not asked for again.
    const { email: typed, ...others } = sent;
    save.mutate(typed === (pending ?? email) ? others : sent);
  });
  return (
    <form className="card stack" onSubmit={submit}>
      <TextField
        label={t('settings.userName')}
        value={values.name}
        onChange={(text) => set({ name: text })}
        error={fieldErrorOf(save.error, 'name')}
        isRequired
      />
      <TextField
        label={t('auth.email')}
        description={pending ? t('settings.emailWaits', { email: pending }) : undefined}
        type="email"
        value={values.email}
        onChange={(text) => set({ email: text })}
        error={fieldErrorOf(save.error, 'email')}
        isRequired
      />
      <ZoneChoice
        stored={timezone}
        value={values.timezone}
        onChange={(zone) => set({ timezone: zone })}
        error={fieldErrorOf(save.error, 'timezone')}
      />
      <TextField
        label={t('signUp.currency')}
        description={t('signUp.currencyHint')}
        value={account.currency}
        isReadOnly
      />
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice kind="success">{t('action.saved')}</Notice>}
      <div>
        <Button kind="primary" type="submit" isPending={save.isPending} isDisabled={!values.timezone}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}

/** Name, time zone and address of the account, whose currency cannot be changed, and what becomes of its data. */
export default function Account() {
  const client = useClient();
  const { account } = useMe();
  const queryKey = [useEnvironment(), 'account', account.id];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => client.accounts.get(account.id, { signal }) });
  return (
    <div className="settings-column">
      <Shown query={query}>{(data) => <AccountForm account={data} queryKey={queryKey} />}</Shown>
      <OwnData />
    </div>
  );
}
