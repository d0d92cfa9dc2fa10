import type { CreateInstructorBody, Instructor, UpdateInstructorBody } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';

const INSTRUCTORS = 'instructors';

/** The instructors that a text finds: a school's own, or those of all schools for a family, which looks for one. */
export function useInstructors(search: string) {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const own = account.kind === 'school' ? { account_id: account.id } : {};
  return usePages([environment, INSTRUCTORS, 'list', search], (page, options) =>
    client.instructors.list({ ...page, ...own, ...(search ? { search } : {}) }, options),
  );
}

/** One instructor. */
export function useInstructor(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, INSTRUCTORS, id],
    queryFn: ({ signal }) => client.instructors.get(id, { signal }),
  });
}

/** The reviews of an instructor, newest first. */
export function useReviews(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return usePages([environment, INSTRUCTORS, id, 'reviews'], (page, options) =>
    client.instructors.listReviews(id, page, options),
  );
}

/** Changes an instructor, unless somebody else has changed it since it was read. */
export function useUpdateInstructor({ id, version }: Instructor) {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  return useMutation({
    mutationFn: (changes: UpdateInstructorBody) => client.instructors.update(id, { version, ...changes }),
    onSuccess: (instructor) => {
      queries.setQueryData([environment, INSTRUCTORS, id], instructor);
      void queries.invalidateQueries({ queryKey: [environment, INSTRUCTORS, 'choice'] });
    },
  });
}

/** Adds an instructor to the school, as a draft: nobody can book one who is not active. */
export function useNewInstructor() {
  const client = useClient();
  const queries = useQueryClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useMutation({
    mutationFn: (body: Omit<CreateInstructorBody, 'timezone' | 'currency' | 'status'>) =>
      client.instructors.create({
        ...body,
        timezone: account.timezone,
        currency: account.currency,
        status: 'inactive',
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [environment, INSTRUCTORS] }),
  });
}
