import { ConflictError, type Session } from '@swim/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../../api/environment.tsx';
import { useRefresh } from '../calendar-data.ts';

/** Where a session is to be. */
export interface Target {
  /** ISO 8601. */
  readonly date: string;
  readonly instructorId: string;
}

/** A time at which the session could be instead. */
export interface Suggestion {
  readonly date: string;
  readonly duration_minutes: number;
}

const changesOf = (session: Session, { date, instructorId }: Target) => ({
  ...(date === session.date ? {} : { date }),
  ...(instructorId === session.instructor_id ? {} : { instructor_id: instructorId }),
});

/** Whether a target is another place than the session's own. */
export const isElsewhere = (session: Session, target: Target): boolean =>
  Object.keys(changesOf(session, target)).length > 0;

/** The dry run of a move. */
export function useDryRun(session: Session, target: Target) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'dry-run', session.id, session.version, target],
    enabled: isElsewhere(session, target),
    // The time may be taken at any moment.
    gcTime: 0,
    staleTime: 0,
    queryFn: ({ signal }) =>
      client.sessions.update(
        session.id,
        { ...changesOf(session, target), version: session.version },
        { dryRun: true, signal },
      ),
  });
}

/** Moves a session, unless somebody else has changed it since it was read. */
export function useMove() {
  const client = useClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ session, target }: { session: Session; target: Target }) =>
      client.sessions.update(session.id, { ...changesOf(session, target), version: session.version }),
    onSuccess: refresh,
  });
}

/** The times that the API suggests in the place of one that is taken. */
export function suggestionsOf(error: unknown): readonly Suggestion[] {
  if (!(error instanceof ConflictError)) return [];
  const { suggestions = [] } = error.details as { suggestions?: readonly Suggestion[] };
  return suggestions;
}
