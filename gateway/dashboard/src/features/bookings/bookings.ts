import type { Booking, Payment, Query } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';
import { useZones } from '../../api/zones.ts';

const BOOKINGS = 'bookings';

/** The bookings that a query finds, newest first. */
export function useBookings(query: Query<'listBookings'>) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, BOOKINGS, 'list', query], (page, options) =>
    client.bookings.list({ ...query, ...page }, options),
  );
}

/** One booking. */
export function useBooking(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, BOOKINGS, id],
    queryFn: ({ signal }) => client.bookings.get(id, { signal }),
  });
}

/** The lessons of a booking, by date. */
export function useBookingSessions(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, BOOKINGS, id, 'sessions'], (page, options) =>
    client.sessions.list({ booking_id: id, ...page }, options),
  );
}

/** The one time zone in which all of a booking is shown: that of its first lesson. */
export function useBookingZone(booking: Booking): string {
  const [first = booking] = useBookingSessions(booking.id).rows ?? [];
  return useZones([first])(first);
}

const SETTLING_MS = 2_500;

/** The payments of a booking, newest first; read again until none is pending. */
export function useBookingPayments(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, BOOKINGS, id, 'payments'],
    queryFn: async ({ signal }) => (await client.payments.list({ booking_id: id, limit: 100 }, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? SETTLING_MS : false),
  });
}

/** The refunds of a payment, newest first; read again until none is pending. */
export function useRefunds(bookingId: string, payment: Payment) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, BOOKINGS, bookingId, 'refunds', payment.id],
    queryFn: async ({ signal }) => (await client.payments.listRefunds(payment.id, { limit: 100 }, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? SETTLING_MS : false),
  });
}

/** Reads bookings and what belongs to them again. */
function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () => queries.invalidateQueries({ queryKey: [environment, BOOKINGS] });
}

const CHANGING = /^(booking|session|payment)\./;

/** Reads again when an event reports a change. */
export function useLiveBookings() {
  const refresh = useRefresh();
  return useLiveEvents(({ type }) => {
    if (CHANGING.test(type)) void refresh();
  }, useScopes()('events:read'));
}

/** The cost and refund of a cancellation now; never from the cache. */
export function useQuote(bookingId: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'quotes', bookingId],
    gcTime: 0,
    queryFn: ({ signal }) => client.bookings.quoteCancellation(bookingId, { signal }),
  });
}

interface Cancellation {
  readonly reason: string;
  readonly notify: boolean;
  readonly refundAs: 'payment_method' | 'credit';
}

/** The mutations of a booking. */
export function useBookingActions(booking: Booking) {
  const client = useClient();
  const onSettled = useRefresh();
  return {
    cancel: useMutation({
      mutationFn: ({ reason, notify, refundAs }: Cancellation) =>
        client.bookings.cancel(booking.id, {
          notify_participants: notify,
          refund_as: refundAs,
          ...(reason ? { reason } : {}),
        }),
      onSettled,
    }),
  };
}

/** The mutations of a payment, for schools. */
export function usePaymentActions(payment: Payment) {
  const client = useClient();
  const onSettled = useRefresh();
  const refund = useOnce(({ cents, reason }: { cents: number; reason: string }, idempotencyKey) =>
    client.payments.createRefund(payment.id, { amount_cents: cents, reason }, { idempotencyKey }),
  );
  return {
    capture: useMutation({ mutationFn: () => client.payments.capture(payment.id), onSettled }),
    release: useMutation({ mutationFn: () => client.payments.void(payment.id), onSettled }),
    refund: useMutation({ mutationFn: refund, onSettled }),
  };
}
