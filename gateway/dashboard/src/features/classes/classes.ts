import {
  type CloseClassBody,
  type CreateClassBody,
  type CreateEnrollmentBody,
  type EndEnrollmentBody,
  type Enrollment,
  type Lesson,
  type Query,
  type SwimClass,
  type UpdateClassBody,
} from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useLiveEvents } from '../../api/live-events.ts';
import { useScopes } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';
import { useRefresh } from '../../design/lessons/open-lessons.ts';

const CLASSES = 'classes';
const MOST = 100;

/** The classes that a query finds, newest first. */
export function useClasses(query: Omit<Query<'listClasses'>, 'limit' | 'offset' | 'cursor' | 'ids'>) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, CLASSES, 'list', query], (page, options) =>
    client.classes.list({ ...query, ...page }, options),
  );
}

/** Reads again when an event reports a change. */
export function useLiveClasses() {
  const refresh = useRefresh();
  return useLiveEvents(({ type }) => {
    if (/^(?:class|enrollment|session|lesson|waitlist)\./.test(type)) void refresh();
  }, useScopes()('events:read'));
}

/** One class. */
export function useClass(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, CLASSES, id],
    queryFn: ({ signal }) => client.classes.get(id, { signal }),
  });
}

/** The lessons of a class, by date. */
export function useLessonsOfClass(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, CLASSES, id, 'lessons'],
    queryFn: async ({ signal }): Promise<Lesson[]> =>
      (await client.lessons.list({ class_id: id, limit: MOST }, { signal })).data,
  });
}

/** The enrollments in a class, newest first: all of them for its school. */
export function useEnrollmentsIn(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, CLASSES, id, 'enrollments'], (page, options) =>
    client.classes.listEnrollments(id, page, options),
  );
}

/** The enrollments of a child that have not ended, by their classes. */
export function useEnrollmentsOf(memberId: string): ReadonlyMap<string, Enrollment> {
  const client = useClient();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: [environment, CLASSES, 'enrollments-of', memberId],
    queryFn: async ({ signal }) => {
      const query = { member_id: memberId, status: ['pending', 'active'], limit: MOST } as const;
      const { data: enrollments } = await client.enrollments.list(query, { signal });
      return new Map(enrollments.map((each) => [each.class_id, each]));
    },
  });
  return data ?? new Map();
}

/** What opening a draft would make of it, and what of its dates would be left out. */
export function useOpening(draft: SwimClass, outsideHours: boolean) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'dry-run', 'opening', draft.id, draft.version, outsideHours],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const opening = client.classes.open(draft.id, { outside_hours: outsideHours }, { dryRun: true, signal });
      const { meta } = await opening.withMeta();
      const warnings = (meta?.warnings ?? []) as readonly Partial<Record<'code' | 'date' | 'reason', string>>[];
      const leftOut = warnings.filter(({ code }) => code === 'date_left_out');
      return new Map(leftOut.map(({ date = '', reason = '' }) => [date, reason]));
    },
  });
}

/** Makes a class, once however often it is sent. */
export function useCreateClass() {
  const client = useClient();
  const send = useOnce<CreateClassBody, SwimClass>((body, idempotencyKey) =>
    client.classes.create(body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** What its school does with a class. */
export function useClassActions({ id }: SwimClass) {
  const { classes } = useClient();
  const onSuccess = useRefresh();
  return {
    open: useMutation({
      mutationFn: (outsideHours: boolean) => classes.open(id, { outside_hours: outsideHours }),
      onSuccess,
    }),
    update: useMutation({ mutationFn: (body: UpdateClassBody) => classes.update(id, body), onSuccess }),
    close: useMutation({ mutationFn: (body: CloseClassBody) => classes.close(id, body), onSuccess }),
    remove: useMutation({ mutationFn: () => classes.remove(id), onSuccess }),
  };
}

/** Enrolls a child in a class, once however often it is sent. */
export function useEnroll(classId: string) {
  const client = useClient();
  const send = useOnce<CreateEnrollmentBody, Enrollment>((body, idempotencyKey) =>
    client.classes.createEnrollment(classId, body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** Ends an enrollment. */
export function useEndEnrollment({ id }: Enrollment) {
  const { enrollments } = useClient();
  return useMutation({
    mutationFn: (body: EndEnrollmentBody) => enrollments.end(id, body),
    onSuccess: useRefresh(),
  });
}
