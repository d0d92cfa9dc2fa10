import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from './environment.tsx';
import { useScopes } from './me.ts';

/** The present of the account: the sandbox has a clock of its own. */
export function useNow(): number {
  const client = useClient();
  const environment = useEnvironment();
  const mayAsk = useScopes()('accounts:write') && environment === 'sandbox';
  const { data } = useQuery({
    queryKey: [environment, 'clock'],
    queryFn: ({ signal }) => client.sandbox.getClock({ signal }),
    enabled: mayAsk,
  });
  return Date.now() + (data?.offset_seconds ?? 0) * 1_000;
}
