import type { Booking, Payment } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useRefresh } from '../lessons/open-lessons.ts';

interface NewPayment {
  readonly methodId: string;
  readonly cents: number;
  readonly capture: boolean;
}

/** The address of the page where the cardholder confirms a payment at the bank. It has a document of its own. */
export const atTheBank = ({ id }: Pick<Payment, 'id'>): string => `/dashboard/live/card?payment=${id}`;

/** Answers the bank of the sandbox in place of the cardholder. */
export function useAuthenticate({ id }: Pick<Payment, 'id'>) {
  const { sandbox } = useClient();
  const authenticate = (outcome: 'succeeded' | 'failed') => sandbox.authenticatePayment(id, { outcome });
  return useMutation({ mutationFn: authenticate, onSettled: useRefresh() });
}

/** Pays for a booking, once however often it is sent. */
export function usePay({ id, currency }: Booking) {
  const client = useClient();
  const pay = useOnce(({ methodId, cents, capture }: NewPayment, idempotencyKey) => {
    const body = { booking_id: id, payment_method_id: methodId, amount_cents: cents, currency, capture };
    return client.payments.create(body, { idempotencyKey });
  });
  // A decline leaves a failed payment.
  return useMutation({ mutationFn: pay, onSettled: useRefresh() });
}
