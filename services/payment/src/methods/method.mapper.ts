import type { PaymentMethod } from '@swim/contracts';
import type { WalletContents, WalletMethod } from './wallet.rules.js';

/** Maps a stored method to the API's JSON, without the processor's token. */
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
