import { type Booking, ConflictError, type CreateBookingBody } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDebounced } from '../../../api/debounced.ts';
import { useClient, useEnvironment } from '../../../api/environment.tsx';
import { useOnce } from '../../../api/idempotency.ts';

/** A date that is not free, and times nearby that are. */
export interface DateConflict {
  readonly date: string;
  readonly reason: string;
  readonly suggestions?: readonly { readonly date: string }[];
}

/** The dry run of a booking. Nothing is requested while the booking is incomplete. */
export function usePreview(body: CreateBookingBody | null) {
  const client = useClient();
  const environment = useEnvironment();
  const settled = useDebounced(JSON.stringify(body));
  const query = useQuery({
    queryKey: [environment, 'booking-preview', settled],
    enabled: settled !== 'null',
    // The times may be taken at any moment.
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) => client.bookings.create(JSON.parse(settled) as CreateBookingBody, { dryRun: true, signal }),
  });
  const isPending = body !== null && (settled !== JSON.stringify(body) || query.isFetching);
  return { data: isPending ? undefined : query.data, error: isPending ? null : query.error, isPending };
}

/** Makes a booking, once however often it is sent. */
export function useBook() {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const send = useOnce<CreateBookingBody, Booking>((body, idempotencyKey) =>
    client.bookings.create(body, { idempotencyKey }),
  );
  return useMutation({
    mutationFn: send,
    onSuccess: () => queries.invalidateQueries({ queryKey: [environment] }),
  });
}

/** The dates that are not free, as the API names them. */
export function conflictsOf(error: unknown): readonly DateConflict[] {
  if (!(error instanceof ConflictError)) return [];
  const { conflicts = [] } = error.details as { conflicts?: readonly DateConflict[] };
  return conflicts;
}
