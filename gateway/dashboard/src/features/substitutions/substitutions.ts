import { ConflictError, type CreateSubstitution, type CreateSubstitutionBody, type Lesson } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDryRun } from '../../api/dry-run.ts';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';

export type Skipped = CreateSubstitution['skipped'];

/** The dry run of a substitution. */
export function useSubstitutionPreview(body: CreateSubstitutionBody | null) {
  const client = useClient();
  return useDryRun('substitution', body, (complete, options) => client.substitutions.create(complete, options));
}

/** Has somebody else teach the lessons of a time, once however often it is sent. */
export function useSubstitute() {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  const send = useOnce((body: CreateSubstitutionBody, idempotencyKey) =>
    client.substitutions.create(body, { idempotencyKey }),
  );
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        ['lessons', 'calendar', 'today'].map((key) => queries.invalidateQueries({ queryKey: [environment, key] })),
      ),
  });
}

const MOST = 100;

/** Lessons by their ids, as far as one page goes. */
export function useLessonsById(ids: readonly string[]): ReadonlyMap<string, Lesson> {
  const client = useClient();
  const environment = useEnvironment();
  const shown = ids.slice(0, MOST);
  const { data = [] } = useQuery({
    queryKey: [environment, 'lessons', 'ids', shown],
    enabled: shown.length > 0,
    queryFn: async ({ signal }) => (await client.lessons.list({ ids: shown.join(), limit: MOST }, { signal })).data,
  });
  return new Map(data.map((lesson) => [lesson.id, lesson]));
}

/** The lessons that a substitute cannot take over, as a rejected request names them. */
export function skippedOf(error: unknown): Skipped {
  if (!(error instanceof ConflictError) || error.details.reason !== 'conflicting_lessons') return [];
  return (error.details as { skipped?: Skipped }).skipped ?? [];
}
