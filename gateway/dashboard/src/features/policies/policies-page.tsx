import type { Account } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { rememberPoliciesSeen, useMe, useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { wholeOf } from '../../design/fields/whole-number.ts';
import { WholeNumberField } from '../../design/fields/whole-number-field.tsx';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import './policies.css';

type Policies = NonNullable<Account['policies']>;

const NUMBERS = ['free_cancellation_hours', 'late_fee_percent', 'no_show_fee_percent'] as const;
const SWITCHES = ['require_prepayment', 'enforce_availability', 'makeup_credits', 'progress_visible'] as const;
type Numbered = (typeof NUMBERS)[number];
type Switched = (typeof SWITCHES)[number];

function usePolicies() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const queries = useQueryClient();
  const queryKey = [environment, 'account'];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => client.accounts.get(account.id, { signal }) });
  const update = useMutation({
    mutationFn: (policies: Partial<Policies>) => client.accounts.update(account.id, { policies }),
    onSuccess: (answer) => queries.setQueryData(queryKey, answer),
  });
  return { query, update };
}

const startOf = (policies: Policies) => ({
  numbers: Object.fromEntries(NUMBERS.map((name) => [name, String(policies[name])])) as Record<Numbered, string>,
  switches: Object.fromEntries(SWITCHES.map((name) => [name, policies[name]])) as Record<Switched, boolean>,
});

/** The changes of the form; null while one of its fields is no number. */
function changesOf({ numbers, switches }: ReturnType<typeof startOf>): Partial<Policies> | null {
  const typed = NUMBERS.map((name) => [name, wholeOf(numbers[name])] as const);
  if (typed.some(([, number]) => number === null)) return null;
  return { ...(Object.fromEntries(typed) as Record<Numbered, number>), ...switches };
}

interface FormProps {
  readonly policies: Policies;
  readonly update: ReturnType<typeof usePolicies>['update'];
}

function PoliciesForm({ policies, update }: FormProps) {
  const { t } = useLanguage();
  const canWrite = useScopes()('accounts:write');
  const { values, set, submit } = useForm(startOf(policies), (sent) => {
    const changes = changesOf(sent);
    if (changes) update.mutate(changes);
  });
  return (
    <form className="card stack policies" onSubmit={submit}>
      {NUMBERS.map((name) => (
        <WholeNumberField
          key={name}
          label={t(`policies.${name}`)}
          description={t(`policies.${name}.means`)}
          value={values.numbers[name]}
          onChange={(text) => set({ numbers: { ...values.numbers, [name]: text } })}
          error={fieldErrorOf(update.error, `policies.${name}`)}
          isReadOnly={!canWrite}
        />
      ))}
      {SWITCHES.map((name) => (
        <Checkbox
          key={name}
          isSelected={values.switches[name]}
          onChange={(isOn) => set({ switches: { ...values.switches, [name]: isOn } })}
          isDisabled={!canWrite}
        >
          <span className="stack-tight">
            <strong>{t(`policies.${name}`)}</strong>
            <span className="hint">{t(`policies.${name}.means`)}</span>
          </span>
        </Checkbox>
      ))}
      <ErrorNotice error={update.error} />
      {canWrite ? (
        <div>
          <Button kind="primary" type="submit" isPending={update.isPending} isDisabled={changesOf(values) === null}>
            {t('action.save')}
          </Button>
        </div>
      ) : (
        <p className="hint">{t('role.needed')}</p>
      )}
    </form>
  );
}

function Saved({ before, update }: { before: Policies; update: FormProps['update'] }) {
  const { t } = useLanguage();
  const former = Object.fromEntries([...NUMBERS, ...SWITCHES].map((name) => [name, before[name]]));
  return (
    <Notice kind="success" comesIntoView>
      <span className="row">
        {t('policies.saved')}
        <Button small isPending={update.isPending} onPress={() => update.mutate(former, { onSuccess: update.reset })}>
          {t('members.undo')}
        </Button>
      </span>
    </Notice>
  );
}

/** The rules of a school for all who book with it, and what each of them means. */
export default function PoliciesPage() {
  const { t } = useLanguage();
  const { query, update } = usePolicies();
  const [before, setBefore] = useState<Policies | null>(null);
  const policies = query.data?.policies;
  const isLive = useEnvironment() === 'live';
  const { account } = useMe();
  useEffect(() => {
    if (isLive) rememberPoliciesSeen(account.id);
  }, [isLive, account.id]);
  const remembering = {
    ...update,
    mutate: (...args: Parameters<typeof update.mutate>) => {
      if (policies) setBefore(policies);
      update.mutate(...args);
    },
  } as typeof update;
  return (
    <Page title={t('policies.title')} lead={t('policies.lead')}>
      <Shown query={query}>
        {(account) =>
          account.policies ? (
            <PoliciesForm key={JSON.stringify(account.policies)} policies={account.policies} update={remembering} />
          ) : (
            <Empty title={t('policies.none')}>{t('policies.noneText')}</Empty>
          )
        }
      </Shown>
      {update.isSuccess && before && <Saved before={before} update={update} />}
    </Page>
  );
}
