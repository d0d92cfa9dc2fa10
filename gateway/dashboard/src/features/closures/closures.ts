import type { Closure, CreateClosureBody } from '@swim/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useOnce } from '../../api/idempotency.ts';
import { usePages } from '../../api/pages.ts';

const CLOSURES = 'closures';
const AGAIN_MS = 2_000;

/** The closures of the school, newest first; read again while one of them still cancels lessons. */
export function useClosures() {
  const client = useClient();
  const environment = useEnvironment();
  const queries = useQueryClient();
  const queryKey = [environment, CLOSURES];
  const known = queries.getQueryData<{ pages: { data: Closure[] }[] }>(queryKey);
  const isRunning = known?.pages.some(({ data }) => data.some(({ status }) => status === 'running'));
  return usePages(queryKey, (page, options) => client.closures.list(page, options), isRunning ? AGAIN_MS : undefined);
}

/** Reads again what shows closed time. */
function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () =>
    Promise.all([CLOSURES, 'calendar'].map((key) => queries.invalidateQueries({ queryKey: [environment, key] })));
}

/** Closes time, once however often it is sent. */
export function useCreateClosure() {
  const client = useClient();
  const send = useOnce((body: CreateClosureBody, idempotencyKey) => client.closures.create(body, { idempotencyKey }));
  return useMutation({ mutationFn: send, onSuccess: useRefresh() });
}

/** Gives closed time back. */
export function useRemoveClosure() {
  const client = useClient();
  return useMutation({ mutationFn: (id: string) => client.closures.remove(id), onSuccess: useRefresh() });
}
