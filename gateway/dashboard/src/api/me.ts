import { ApiError } from '@swim/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { bindTo, type Environment } from './client.ts';
import { dashboardApi } from './dashboard-api.ts';

export type Role = 'owner' | 'admin' | 'developer' | 'viewer' | 'guardian' | 'instructor';
export type Locale = 'en' | 'de' | 'es' | 'fr';

/** The signed-in user, as `GET /dashboard/api/me` answers. */
export interface Me {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly locale: Locale;
    readonly role: Role;
    /** The instructor that a user of that role is. */
    readonly instructor_id: string | null;
    readonly second_factors: {
      readonly totp: boolean;
      readonly passkeys: number;
      readonly recovery_codes_left: number;
    };
  };
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'family' | 'school';
    readonly timezone: string;
    readonly currency: string;
    readonly locale: Locale;
    /** How far its clock in the sandbox is ahead. */
    readonly clock_offset_seconds?: number;
  };
  readonly environments: readonly Environment[];
  readonly scopes: readonly string[];
}

async function readMe(): Promise<Me | null> {
  try {
    const me = await dashboardApi.get<Me>('/me');
    bindTo(me.account.id);
    return me;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

const MOST_RETRIES = 4;
const isPassing = (error: Error) => !(error instanceof ApiError) || error.status >= 500;

/** The signed-in user; null when nobody is. Every page depends on it: it is requested again for about 15 seconds. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readMe,
  staleTime: 60_000,
  retry: (failures, error) => failures < MOST_RETRIES && isPassing(error),
});

/** The signed-in user of the pages within, also while they are about to give way to the page to sign in. */
export const MeContext = createContext<Me | null>(null);

/** The signed-in user. Only for pages that are shown to nobody else. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error('Nobody is signed in.');
  return me;
}

/** Whether the user's role has a scope; one to write includes the one to read. */
export function useScopes(): (scope: string) => boolean {
  const { scopes } = useMe();
  return (scope) => scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write'));
}

/** Takes over the user of an answer that signed in, or out. */
export function useSignedIn(): (me: Me | null) => void {
  const queries = useQueryClient();
  return (me) => {
    bindTo(me?.account.id ?? null);
    queries.setQueryData(meQuery.queryKey, me);
    // Cached data of one user must not be shown to another. The query of the user itself stays: the pages observe it.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
  };
}

const seenKeyOf = (accountId: string): string => `swim-policies-seen-${accountId}`;

/** Whether the policies of a school were looked at in this browser. */
export const arePoliciesSeen = (accountId: string): boolean => localStorage.getItem(seenKeyOf(accountId)) !== null;

export const rememberPoliciesSeen = (accountId: string): void => localStorage.setItem(seenKeyOf(accountId), 'yes');
