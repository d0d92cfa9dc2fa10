import type { ListedInstructor } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { arePoliciesSeen, useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';

type StepName = 'pool' | 'instructor' | 'hours' | 'price' | 'families' | 'lesson' | 'payment';

/** A step: where it is done, and whether the data of the school, or of this browser, say that it was. */
export interface Step {
  readonly name: StepName;
  readonly path: string;
  readonly isDone: boolean;
}

/** Whether the steps are shown: in live, to those who set up the school, until they hide them. */
export function useIsShown(): readonly [isShown: boolean, hide: () => void] {
  const { account } = useMe();
  const stored = `swim-setup-hidden-${account.id}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(stored) !== null);
  const isTheirs = useScopes()('accounts:write') && account.kind === 'school';
  const hide = () => {
    localStorage.setItem(stored, 'yes');
    setHidden(true);
  };
  return [useEnvironment() === 'live' && isTheirs && !isHidden, hide];
}

/** Whether the school has families, lessons and payments. */
function useFirsts() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'setup'],
    queryFn: async ({ signal }) => {
      const own = { account_id: account.id, limit: 1 };
      const [families, lessons, classes, payments] = await Promise.all([
        client.families.list({ limit: 1 }, { signal }),
        client.lessons.list(own, { signal }),
        client.classes.list(own, { signal }),
        client.payments.list({ limit: 1 }, { signal }),
      ]);
      return {
        families: families.data.length > 0,
        lesson: lessons.data.length + classes.data.length > 0,
        payment: payments.data.length > 0,
      };
    },
  }).data;
}

/** The steps of the school; none until they are read. */
export function useSteps(): readonly Step[] {
  const { account } = useMe();
  const firsts = useFirsts();
  const { data: instructors } = useInstructorChoice();
  const { data: pools } = usePoolChoice();
  if (!firsts || !instructors || !pools) return [];
  const toInstructor = instructors[0] ? `/instructors/${instructors[0].id}` : '/instructors';
  const isBookable = ({ status, availability_schedule: { weekly } }: ListedInstructor) =>
    status === 'active' && weekly.length > 0;
  const isPriced = instructors.some(({ hourly_rate_cents: cents }) => cents > 0);
  return [
    { name: 'pool', path: '/pools', isDone: pools.length > 0 },
    { name: 'instructor', path: '/instructors', isDone: instructors.length > 0 },
    { name: 'hours', path: toInstructor, isDone: instructors.some(isBookable) },
    { name: 'price', path: '/policies', isDone: isPriced && arePoliciesSeen(account.id) },
    { name: 'families', path: '/families/imports', isDone: firsts.families },
    { name: 'lesson', path: '/classes/new', isDone: firsts.lesson },
    { name: 'payment', path: '/bookings', isDone: firsts.payment },
  ];
}
