import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from './environment.tsx';
import { useScopes } from './me.ts';

/** How far the clock of the account is ahead of this device's, in ms: the sandbox has a clock of its own. */
export function useClockOffset(): number {
  const client = useClient();
  const environment = useEnvironment();
  const mayAsk = useScopes()('accounts:write') && environment === 'sandbox';
  const { data } = useQuery({
    queryKey: [environment, 'clock'],
    queryFn: ({ signal }) => client.sandbox.getClock({ signal }),
    enabled: mayAsk,
  });
  return (data?.offset_seconds ?? 0) * 1_000;
}

/** The present of the account. */
export const useNow = (): number => Date.now() + useClockOffset();
