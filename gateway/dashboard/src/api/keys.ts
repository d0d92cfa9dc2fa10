import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from './environment.tsx';
import { useMe } from './me.ts';

const MOST = 100;

/** The keys of the account in the environment, newest first. */
export function useKeys() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return useQuery({
    queryKey: [environment, 'keys'],
    queryFn: async ({ signal }) => (await client.keys.list(account.id, { limit: MOST }, { signal })).data,
  });
}
