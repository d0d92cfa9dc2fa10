import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import type { Scale } from './chart-layout.ts';

const HOUR_MS = 3_600_000;
const HOURS = { day: 24, week: 168 } as const;

/** How far back the chart goes. */
export type Range = keyof typeof HOURS;

/** The view of the chart in the query of its URL. */
export interface UsageView {
  readonly range: Range;
  /** Id of a key; empty for all. */
  readonly key: string;
  /** Empty for the one that fits. */
  readonly scale: Scale | '';
}

/** The view that an address has. */
export function usageViewOf(params: URLSearchParams): UsageView {
  const scale = params.get('scale');
  return {
    range: params.get('range') === 'week' ? 'week' : 'day',
    key: params.get('key') ?? '',
    scale: scale === 'limit' || scale === 'peak' ? scale : '',
  };
}

/** The parameters of an address for a view; what is as by default is left out. */
export const paramsOfUsageView = ({ range, key, scale }: UsageView): URLSearchParams =>
  new URLSearchParams({
    ...(range === 'day' ? {} : { range }),
    ...(key && { key }),
    ...(scale && { scale }),
  });

/** How often the usage is read again: requests are counted two or three seconds after their answers. */
const AGAIN_MS = 10_000;

/** The requests of the account's keys by hour, up to the hour that passes. */
export function useUsage({ range, key }: Pick<UsageView, 'range' | 'key'>) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'usage', range, key],
    queryFn: ({ signal }) => {
      // The hour of this instant is the first: with the one that passes there are as many as the range has.
      const from = new Date(Date.now() - (HOURS[range] - 1) * HOUR_MS).toISOString();
      return client.usage.get({ date_from: from, ...(key && { key_id: key }) }, { signal });
    },
    refetchInterval: AGAIN_MS,
    placeholderData: (shown) => shown,
  });
}
