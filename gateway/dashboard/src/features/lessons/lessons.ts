import {
  type AccountEvent,
  type CancelLessonBody,
  type CreateLessonBody,
  type Lesson,
  type UpdateLessonBody,
} from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useLiveEvents } from '../../api/live-events.ts';
import { useMe } from '../../api/me.ts';

const LESSONS = 'lessons';
const MOST_CHOICES = 50;

/** Whether an event is about a lesson, or about a session that is, or was, in it. */
function concerns({ data }: AccountEvent, lessonId: string): boolean {
  const object: Readonly<Record<string, unknown>> = data.object;
  const before: Readonly<Record<string, unknown>> = data.previous_attributes ?? {};
  return [object.id, object.lesson_id, before.lesson_id].includes(lessonId);
}

/** One lesson. Reads again when an event reports a change. */
export function useLesson(lessonId: string) {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const live = useLiveEvents((event) => {
    if (concerns(event, lessonId)) void queries.invalidateQueries({ queryKey: [environment, LESSONS, lessonId] });
  });
  const query = useQuery({
    queryKey: [environment, LESSONS, lessonId],
    queryFn: ({ signal }) => client.lessons.get(lessonId, { signal }),
  });
  return { ...query, live };
}

/** The roster of a lesson, which lies in that of its instructor's day. */
export function useRosterOf(lesson: Lesson, day: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, LESSONS, lesson.id, 'roster', lesson.instructor_id, day],
    enabled: lesson.status !== 'cancelled',
    queryFn: async ({ signal }) => {
      const { lessons } = await client.instructors.getRoster(lesson.instructor_id, { date: day }, { signal });
      return lessons.find(({ id }) => id === lesson.id)?.sessions ?? [];
    },
  });
}

/** Reads again what shows the lessons of the school. */
export function useRefreshLessons() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    Promise.all([LESSONS, 'calendar'].map((key) => queries.invalidateQueries({ queryKey: [environment, key] })));
}

/** Makes a lesson, once however often it is sent. */
export function useCreateLesson() {
  const client = useClient();
  const send = useOnce<CreateLessonBody, Lesson>((body, idempotencyKey) =>
    client.lessons.create(body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefreshLessons() });
}

/** Changes a lesson, and cancels it. */
export function useLessonActions({ id }: Lesson) {
  const client = useClient();
  const onSuccess = useRefreshLessons();
  return {
    update: useMutation({ mutationFn: (body: UpdateLessonBody) => client.lessons.update(id, body), onSuccess }),
    cancel: useMutation({ mutationFn: (body: CancelLessonBody) => client.lessons.cancel(id, body), onSuccess }),
    record: useMutation({
      mutationFn: async (entry: Parameters<typeof client.lessons.recordAttendance>[1]['entries'][number]) => {
        const { entries } = await client.lessons.recordAttendance(id, { entries: [entry] });
        return entries[0]!;
      },
      onSuccess,
    }),
  };
}

/** Books a place for a member, once however often it is sent. */
export function useAddMember(lessonId: string) {
  const client = useClient();
  const send = useOnce((memberId: string, idempotencyKey) =>
    client.bookings.create({ lesson_ids: [lessonId], member_ids: [memberId] }, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefreshLessons() });
}

/** Lessons of the school with a free place, from an instant on. */
export function useLessonsWithPlaces(from: string | null) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, LESSONS, 'with-places', from],
    enabled: from !== null,
    queryFn: async ({ signal }) => {
      const query = { account_id: account.id, has_places: true, date_from: from!, limit: MOST_CHOICES };
      const page = await client.lessons.list(query, { signal });
      return page.data.filter(({ status }) => status === 'scheduled');
    },
  });
}

/** Moves the place of a member to another lesson. */
export function useMoveMember(sessionId: string) {
  const client = useClient();
  return useMutation({
    mutationFn: (lessonId: string) => client.sessions.update(sessionId, { lesson_id: lessonId }),
    onSuccess: useRefreshLessons(),
  });
}
