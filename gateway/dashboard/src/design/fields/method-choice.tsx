import type { PaymentMethod } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe, useScopes } from '../../api/me.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Choice } from './fields.tsx';

/** The methods with which the account pays; none where its user may not read them. */
export function useMethods() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'payment-methods'],
    enabled: useScopes()('payments:read'),
    queryFn: async ({ signal }) => (await client.paymentMethods.list(account.id, { limit: 100 }, { signal })).data,
  });
}

/** The brands that do not only begin with a capital letter. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** A method as people know it. */
export const methodText = ({ brand, last4 }: Pick<PaymentMethod, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} •••• ${last4}`;

interface MethodChoiceProps {
  readonly methods: readonly PaymentMethod[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The text of the choice of no method; without it there is none. */
  readonly none?: string;
  readonly description?: string;
}

/** A choice of one of the account's payment methods. */
export function MethodChoice({ methods, none, ...props }: MethodChoiceProps) {
  const { t } = useLanguage();
  const options = methods.map((method) => ({ value: method.id, label: methodText(method) }));
  return (
    <Choice
      {...props}
      label={t('bookings.method')}
      options={none === undefined ? options : [...options, { value: '', label: none }]}
    />
  );
}
