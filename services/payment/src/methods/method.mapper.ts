import type { PaymentMethod } from '@swim/contracts';
import { timeOfId } from '@swim/platform';
import type { WalletContents, WalletMethod } from './wallet.rules.js';

/** When a method was changed last: added, or made the default, or no longer. */
export const changedAt = ({ id, updatedAt }: WalletMethod): Date => updatedAt ?? timeOfId(id);

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
  created_at: timeOfId(method.id).toISOString(),
  updated_at: changedAt(method).toISOString(),
});
