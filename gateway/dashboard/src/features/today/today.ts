import { ApiError, type Roster, type Swim } from '@swim/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { type MarkAnswer, MarkSender, type SenderOptions } from './mark-sender.ts';
import type { Mark } from './marks.ts';

const AGAIN_MS = 5 * 60_000;

const rosterKey = (environment: string, instructorId: string, date: string) => [
  environment,
  'today',
  instructorId,
  date,
];

/** A roster whose children are called in the order of their names. */
const withNamesInOrder = (roster: Roster): Roster => ({
  ...roster,
  lessons: roster.lessons.map((lesson) => ({
    ...lesson,
    sessions: lesson.sessions.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? '')),
  })),
});

/** The roster of an instructor's day. Each read is in the access log of the children: it is read seldom. */
export function useRoster(instructorId: string, date: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: rosterKey(environment, instructorId, date),
    enabled: instructorId !== '',
    refetchInterval: AGAIN_MS,
    queryFn: async ({ signal }) =>
      withNamesInOrder(await client.instructors.getRoster(instructorId, { date }, { signal })),
  });
}

/** A roster with what was recorded since it was read. */
function withRecorded(roster: Roster, marks: readonly Mark[], answers: readonly MarkAnswer[]): Roster {
  const recorded = new Set(answers.filter(({ status }) => status === 'recorded').map(({ session_id: id }) => id));
  const attendances = new Map(marks.map(({ sessionId, attendance }) => [sessionId, attendance]));
  const lessons = roster.lessons.map((lesson) => ({
    ...lesson,
    sessions: lesson.sessions.map((pupil) =>
      recorded.has(pupil.session_id) ? { ...pupil, attendance: attendances.get(pupil.session_id)! } : pupil,
    ),
  }));
  return { ...roster, lessons };
}

const PASSING = ['change_in_progress', 'busy_retry', 'idempotency_in_progress', 'account_closing'];

/** The reason of an error that would come again; null where the same request may succeed later, also after a sign-in. */
function rejectionOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { status, details } = error;
  const isPassing = status >= 500 || status === 429 || status === 401 || PASSING.includes(details.reason);
  return isPassing ? null : details.reason;
}

const senders = new Map<string, MarkSender>();

function newSender(storageKey: string, client: Swim, onAnswer: SenderOptions['onAnswer']): MarkSender {
  return new MarkSender({
    storageKey,
    onAnswer,
    rejectionOf,
    send: async (marks, recordedAt) => {
      const entries = marks.map(({ sessionId, attendance }) => ({ session_id: sessionId, attendance }));
      const body = { entries, ...(recordedAt && { recorded_at: recordedAt }) };
      return (await client.lessons.recordAttendance(marks[0]!.lessonId, body)).entries;
    },
  });
}

/** The sender of the user in the environment: one however often the page is opened, since each keeps its marks in the same place. */
function useSender(): MarkSender {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { user } = useMe();
  const storageKey = `swim-marks-${environment}-${user.id}`;
  const known = senders.get(storageKey);
  if (known) return known;
  const filter = { queryKey: [environment, 'today'] };
  const made = newSender(storageKey, client, (marks, answers) => {
    queries.setQueriesData<Roster>(filter, (roster) => roster && withRecorded(roster, marks, answers));
    if (answers.some(({ status }) => status !== 'recorded')) void queries.invalidateQueries(filter);
  });
  senders.set(storageKey, made);
  return made;
}

/** Takes what is noted about children, and sends it as soon as that can be done. */
export function useMarkSender() {
  const sender = useSender();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    sender.start();
    addEventListener('online', sender.flush, { signal });
    // A phone that is put away may not wake this page again.
    document.addEventListener('visibilitychange', () => document.hidden && void sender.flush(), { signal });
    return () => {
      controller.abort();
      sender.stop();
    };
  }, [sender]);
  return { sender, state: useSyncExternalStore(sender.subscribe, sender.getState) };
}
