import type { ListedInstructor } from '@swim/sdk';

/** Most instructors that one request names. */
const MOST_NAMED = 50;

/** What is searched for free times. */
export interface Wanted {
  readonly minutes: number;
  /** The instructors among whom is searched, and the schools that they are of. */
  readonly instructors: readonly Pick<ListedInstructor, 'id' | 'account_id'>[];
}

/** The query of a search. More instructors than can be named are found by their schools, which may have others too. */
export const queryOf = ({ minutes, instructors }: Wanted, timezone: string) => ({
  duration_minutes: minutes,
  timezone,
  ...(instructors.length <= MOST_NAMED
    ? { instructor_ids: instructors.map(({ id }) => id).join() }
    : { account_id: [...new Set(instructors.map(({ account_id: id }) => id))].join() }),
});
