import { useQuery } from '@tanstack/react-query';
import { useDebounced } from './debounced.ts';
import { useEnvironment } from './environment.tsx';

interface DryRunOptions {
  readonly dryRun: true;
  readonly signal: AbortSignal;
}

/**
 * The outcome that a request would have, once its body has not changed for a moment. Nothing is requested while the body is null: it is
 * incomplete, or on its way, after which the same request would be refused.
 */
export function useDryRun<B, T>(
  name: string,
  body: B | null,
  send: (body: B, options: DryRunOptions) => PromiseLike<T>,
) {
  const environment = useEnvironment();
  const text = JSON.stringify(body);
  const settled = useDebounced(text);
  const query = useQuery({
    queryKey: [environment, 'dry-run', name, settled],
    enabled: body !== null && settled !== 'null',
    // The time may be taken at any moment.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => send(JSON.parse(settled) as B, { dryRun: true, signal }),
  });
  const isPending = body !== null && (settled !== text || query.isFetching);
  return {
    data: isPending || query.isError ? undefined : query.data,
    error: isPending ? null : query.error,
    isPending,
  };
}

export type DryRun<T> = Pick<ReturnType<typeof useDryRun<unknown, T>>, 'data' | 'error' | 'isPending'>;
