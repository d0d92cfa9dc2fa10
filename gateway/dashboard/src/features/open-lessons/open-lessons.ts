import type { Booking, CreateBookingBody, Lesson } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useZones } from '../../api/zones.ts';
import { type Child, useMisfits, useOpenLessons, useRefresh } from '../../design/lessons/open-lessons.ts';
import { wallClockAt } from '../../design/values/wall-clock.ts';
import { weekdayOf } from '../../design/values/weekday.ts';
import type { OpenLessonFilters } from './filters.ts';

const LEAST_ROWS = 10;

/**
 * The lessons of a child by filters. Those that it does not fit are left out, unless another level was chosen: then the list shows
 * why they are not for the child. Pages are read until there is something to see.
 */
export function useLessonsFor(child: Child, { level, weekday, pool }: OpenLessonFilters) {
  const pages = useOpenLessons({ level: level || child.level, ...(pool ? { pool_id: pool } : {}) });
  const zoneOf = useZones(pages.rows ?? []);
  const misfitOf = useMisfits(pages.rows ?? []);
  const rows = pages.rows?.filter((lesson) => {
    const { date: day } = wallClockAt(lesson.date, zoneOf(lesson));
    const isForChild = level !== '' || misfitOf(lesson, child) === null;
    return isForChild && (weekday === '' || weekdayOf(day) === weekday);
  });
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const needsMore = rows !== undefined && rows.length < LEAST_ROWS && hasNextPage && !isFetching;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  const isSearching = rows?.length === 0 && hasNextPage;
  return { pages: { ...pages, rows: isSearching ? undefined : rows }, zoneOf, misfitOf };
}

/** The lessons of a booking, and the hold that it takes over. */
export interface ChosenLessons {
  readonly lessons: readonly Lesson[];
  readonly holdId?: string;
}

/** How a booking is paid; empty for none. */
interface Paying {
  readonly methodId: string;
  readonly creditId: string;
}

/** The booking of a child in lessons. */
export const bookingOf = (
  child: Child,
  { lessons, holdId }: ChosenLessons,
  { methodId, creditId }: Paying,
): CreateBookingBody => ({
  lesson_ids: lessons.map(({ id }) => id),
  member_ids: [child.id],
  ...(holdId ? { hold_id: holdId } : {}),
  ...(methodId ? { payment_method_id: methodId } : {}),
  ...(creditId ? { makeup_credit_id: creditId } : {}),
});

/** Books lessons, once however often it is sent. */
export function useBookLessons() {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const send = useOnce<CreateBookingBody, Booking>((body, idempotencyKey) =>
    client.bookings.create(body, { idempotencyKey }),
  );
  return useMutation({
    mutationFn: send,
    onSuccess: useRefresh(),
    // A place may be taken meanwhile: the dry run says it too.
    onError: () => queries.invalidateQueries({ queryKey: [environment] }),
  });
}

/** Reads a lesson that the API suggests. */
export function useReadLesson() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.lessons.get(id) });
}
