import type { CreatePoolBody, Pool } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { useMe } from '../../api/me.ts';
import { usePages } from '../../api/pages.ts';

const POOLS = 'pools';

/** The pools of the school, newest first. */
export function usePools() {
  const client = useClient();
  const environment = useEnvironment();
  const { account } = useMe();
  return usePages([environment, POOLS], (page, options) =>
    client.pools.list({ ...page, account_id: account.id }, options),
  );
}

/** Reads what shows the pools of the school again. */
function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [environment, POOLS] }),
      queries.invalidateQueries({ queryKey: [environment, 'calendar', 'school'] }),
    ]);
}

/** Adds a pool to the school, or changes one. The calendar shows it at once. */
export function useSavePool(pool: Pool | null) {
  const client = useClient();
  const save = useOnce((body: CreatePoolBody, idempotencyKey) =>
    pool ? client.pools.update(pool.id, body, { idempotencyKey }) : client.pools.create(body, { idempotencyKey }),
  );
  return useMutation({ mutationFn: save, onSuccess: useRefresh() });
}

/** Removes a pool of the school. The API rejects it while a lesson is to take place there. */
export function useRemovePool() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.pools.remove(id), onSuccess: useRefresh() });
}
