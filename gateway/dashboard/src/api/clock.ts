import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from './environment.tsx';
import { useMe, useScopes } from './me.ts';

/** Whether the page knows the present of the account at any time: only who may advance the clock of a sandbox may read it. */
export function useKnowsNow(): boolean {
  const can = useScopes();
  return useEnvironment() === 'live' || can('accounts:write');
}

/** How far the clock of the account is ahead of this device's, in ms: the sandbox has a clock of its own. */
export function useClockOffset(): number {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  const isSandbox = environment === 'sandbox';
  const mayAsk = useKnowsNow() && isSandbox;
  const { data } = useQuery({
    queryKey: [environment, 'clock'],
    queryFn: ({ signal }) => client.sandbox.getClock({ signal }),
    enabled: mayAsk,
  });
  // Without the scope, the user has the clock as of when the dashboard last asked who that is.
  return (data?.offset_seconds ?? (isSandbox ? (account.clock_offset_seconds ?? 0) : 0)) * 1_000;
}

/** The present of the account. */
export const useNow = (): number => Date.now() + useClockOffset();
