import type { PaymentMethod } from '@swim/contracts';
import type { WalletContents, WalletMethod } from './wallet.rules.js';

/** A stored method as the API answers it; the processor's token stays here. */
export const toPaymentMethod = (
  method: WalletMethod,
  { defaultId }: Pick<WalletContents, 'defaultId'>,
): PaymentMethod => ({
  id: method.id,
  processor: method.processor,
  brand: method.brand,
  last4: method.last4,
  exp_month: method.expMonth,
  exp_year: method.expYear,
  is_default: method.id === defaultId,
});
