import { type Booking, ConflictError, type CreateBookingBody } from '@swim/sdk';
import { useMutation } from '@tanstack/react-query';
import { useDryRun } from '../../../api/dry-run.ts';
import { useClient } from '../../../api/environment.tsx';
import { useOnce } from '../../../api/idempotency.ts';
import { useRefresh } from '../../../design/lessons/open-lessons.ts';

/** A date that is not free, and times nearby that are. */
export interface DateConflict {
  readonly date: string;
  readonly reason: string;
  readonly suggestions?: readonly { readonly date: string }[];
}

/** The dry run of a booking. */
export function usePreview(body: CreateBookingBody | null) {
  const client = useClient();
  return useDryRun('booking', body, (complete, options) => client.bookings.create(complete, options));
}

/** Makes a booking, once however often it is sent. */
export function useBook() {
  const client = useClient();
  const send = useOnce<CreateBookingBody, Booking>((body, idempotencyKey) =>
    client.bookings.create(body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** The dates that are not free, as the API names them. */
export function conflictsOf(error: unknown): readonly DateConflict[] {
  if (!(error instanceof ConflictError)) return [];
  const { conflicts = [] } = error.details as { conflicts?: readonly DateConflict[] };
  return conflicts;
}
