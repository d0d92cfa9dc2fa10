import {
  type Booking,
  ConflictError,
  type CreatePaymentBody,
  type Credit,
  type Payment,
  type Session,
} from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../../api/environment.tsx';
import { useOnce } from '../../../api/idempotency.ts';
import { useMe, useScopes } from '../../../api/me.ts';
import { useRefresh } from '../../../design/lessons/open-lessons.ts';

/** How a school got money that it records. */
export const RECORDED = ['cash', 'transfer', 'terminal', 'voucher'] as const;

/** Charges the method of a booking, or records money that the school got elsewhere, once however often it is sent. */
export function useCollect() {
  const client = useClient();
  const send = useOnce<CreatePaymentBody, Payment>((body, idempotencyKey) =>
    client.payments.create(body, { idempotencyKey }),
  );
  // A decline leaves a failed payment.
  return useMutation({ mutationFn: send, onSettled: useRefresh() });
}

/** What may still be charged by consent, where an error says it. */
export function allowedCentsOf(error: unknown): number | null {
  if (!(error instanceof ConflictError) || error.details.reason !== 'consent_exceeded') return null;
  return (error.details as { allowed_cents?: number }).allowed_cents ?? null;
}

/** Sets, or removes, the method by which a family may be charged for a booking. */
export function useSetMethod({ id }: Booking) {
  const client = useClient();
  return useMutation({
    mutationFn: (methodId: string) => client.bookings.update(id, { payment_method_id: methodId || null }),
    onSuccess: useRefresh(),
  });
}

/** Sets the price of a session, for the school. */
export function useSetPrice({ id, version }: Session) {
  const client = useClient();
  return useMutation({
    mutationFn: ({ cents, reason }: { cents: number; reason: string }) =>
      client.sessions.update(id, { version, price_cents: cents, price_reason: reason || null }),
    onSuccess: useRefresh(),
  });
}

const MOST = 100;

/** The makeup credits that were given for lessons of a booking: a family reads those it has, a school those it gave. */
export function useCreditsGiven({ id, session_ids: sessionIds }: Booking) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const { data = [] } = useQuery({
    queryKey: [environment, 'bookings', id, 'credits'],
    enabled: useScopes()('payments:read'),
    queryFn: async ({ signal }) => {
      const credits: Credit[] = [];
      for await (const credit of client.credits.list(account.id, { limit: MOST }, { signal })) credits.push(credit);
      return credits;
    },
  });
  return data.filter(({ session_id: session }) => sessionIds.includes(session));
}
