import type { Credit } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useLanguage } from '../../texts/language.tsx';
import { money } from '../values/amount.ts';
import { Choice } from './fields.tsx';

/** The makeup credits of the family that a booking with a school can use; none where its user may not read them. */
export function useCredits(schoolId: string | undefined, currency: string | undefined) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const can = useScopes();
  return useQuery({
    queryKey: [environment, 'credits', 'available'],
    enabled: account.kind === 'family' && can('payments:read'),
    queryFn: async ({ signal }) =>
      (await client.credits.list(account.id, { status: 'available', limit: 100 }, { signal })).data,
    select: (credits) => credits.filter((each) => each.school_id === schoolId && each.currency === currency),
  });
}

interface CreditChoiceProps {
  readonly credits: readonly Credit[];
  /** Empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** A choice of a makeup credit that pays for a part of a booking; nothing where there is none. */
export function CreditChoice({ credits, value, onChange }: CreditChoiceProps) {
  const { t, tag } = useLanguage();
  if (credits.length === 0) return null;
  const options = credits.map(({ id, amount_cents: cents, currency, expires_at: at }) => ({
    value: id,
    label: t('credits.option', {
      amount: money(cents, currency, tag),
      date: new Date(at).toLocaleDateString(tag, { dateStyle: 'medium' }),
    }),
  }));
  return (
    <Choice
      label={t('credits.use')}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t('credits.none') }, ...options]}
    />
  );
}
