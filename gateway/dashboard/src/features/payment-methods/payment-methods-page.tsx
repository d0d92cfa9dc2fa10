import type { PaymentMethod } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ChangeDialog } from '../../design/change-dialog.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Choice } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { methodText } from '../../design/fields/method-choice.tsx';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { Credits } from './credits.tsx';

/** The cards of the simulator, and what becomes of payments with them. */
const SIMULATED = [
  'pm_card_visa',
  'pm_card_declined',
  'pm_card_insufficient_funds',
  'pm_card_requires_action',
  'pm_card_timeout',
  'pm_card_authenticationRequired',
  'pm_card_threeDSecure2Required',
] as const;

function useMethods() {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const queryKey = [environment, 'payment-methods'];
  const onSuccess = () => queries.invalidateQueries({ queryKey });
  const { paymentMethods } = client;
  return {
    query: useQuery({
      queryKey,
      queryFn: async ({ signal }) => (await paymentMethods.list(account.id, { limit: 100 }, { signal })).data,
    }),
    add: useMutation({
      mutationFn: (token: string) => paymentMethods.add(account.id, { processor_payment_method_id: token }),
      onSuccess,
    }),
    makeDefault: useMutation({
      mutationFn: (id: string) => paymentMethods.update(id, { is_default: true }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => paymentMethods.remove(id), onSuccess }),
  };
}

/** Adds a test card of the simulator. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLanguage();
  const { add } = useMethods();
  const { values, set, submit } = useForm({ token: SIMULATED[0] as string }, ({ token }) =>
    add.mutate(token, { onSuccess: onClose }),
  );
  return (
    <Dialog title={t('methods.add')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Choice
          label={t('methods.card')}
          value={values.token}
          onChange={(token) => set({ token })}
          options={SIMULATED.map((value) => ({ value, label: t(`methods.${value}`) }))}
        />
        <ErrorNotice error={add.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={add.isPending}>
            {t('methods.add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Leads to where a card is added: in live to the page of Stripe's fields, which has a document of its own. */
function Add({ onOpen }: { onOpen: () => void }) {
  const { t } = useLanguage();
  const content = (
    <>
      <Icon name="plus" /> {t('methods.add')}
    </>
  );
  if (useEnvironment() === 'sandbox')
    return (
      <Button kind="primary" onPress={onOpen}>
        {content}
      </Button>
    );
  return (
    <a href="/dashboard/live/card" className="button button-primary">
      {content}
    </a>
  );
}

const expiryOf = ({ exp_month: month, exp_year: year }: PaymentMethod): string =>
  `${String(month).padStart(2, '0')}/${year}`;

function Methods({ methods }: { methods: readonly PaymentMethod[] }) {
  const { t } = useLanguage();
  const canWrite = useScopes()('payments:write');
  const { makeDefault, remove } = useMethods();
  const isBusy = makeDefault.isPending || remove.isPending;
  const [removed, setRemoved] = useState<PaymentMethod | null>(null);
  const close = () => {
    setRemoved(null);
    remove.reset();
  };
  const removalOf = (method: PaymentMethod) => t('pools.removeNamed', { name: methodText(method) });
  const actionsOf = (method: PaymentMethod) => (
    <span className="row">
      {!method.is_default && (
        <Button small isDisabled={isBusy} onPress={() => makeDefault.mutate(method.id)}>
          {t('methods.makeDefault')}
        </Button>
      )}
      <Button small isDisabled={isBusy} aria-label={removalOf(method)} onPress={() => setRemoved(method)}>
        {t('action.remove')}
      </Button>
    </span>
  );
  const cardOf = (method: PaymentMethod) => (
    <span className="row">
      {methodText(method)} {method.is_default && <Badge tone="accent">{t('methods.default')}</Badge>}
    </span>
  );
  return (
    <>
      <ErrorNotice error={makeDefault.error} />
      <Table
        label={t('methods.title')}
        rows={methods}
        rowKey={({ id }) => id}
        columns={[
          { key: 'card', title: t('methods.card'), cell: cardOf },
          { key: 'expires', title: t('methods.expires'), cell: expiryOf },
          ...(canWrite ? [{ key: 'actions', title: t('methods.makeDefault'), hideTitle: true, cell: actionsOf }] : []),
        ]}
      />
      {removed && (
        <ChangeDialog
          title={removalOf(removed)}
          change={remove}
          onContinue={() => remove.mutate(removed.id, { onSuccess: close })}
          onClose={close}
        >
          <p>{t('methods.removeText')}</p>
        </ChangeDialog>
      )}
    </>
  );
}

/** The cards with which a family pays. */
export default function PaymentMethodsPage() {
  const { t } = useLanguage();
  const canWrite = useScopes()('payments:write');
  const { query } = useMethods();
  const [isAdding, setAdding] = useState(false);
  const add = canWrite && <Add onOpen={() => setAdding(true)} />;
  return (
    <Page title={t('methods.title')} lead={t('methods.lead')} actions={add}>
      <Shown query={query}>
        {(methods) =>
          methods.length === 0 ? (
            <Empty title={t('methods.emptyTitle')} action={add}>
              {t('methods.empty')}
            </Empty>
          ) : (
            <Methods methods={methods} />
          )
        }
      </Shown>
      <Credits />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
