import type { WebhookEndpoint } from '@swim/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';

const TAIL_MS = 2_500;
/** The largest that the API takes. */
const MOST_OFFSET = 10_000;

/** The webhook endpoints of the environment. */
export function useEndpoints() {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'webhooks'],
    queryFn: async ({ signal }) => (await client.webhookEndpoints.list({ limit: 100 }, { signal })).data,
  });
}

/** One webhook endpoint. */
export function useEndpoint(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'webhooks', id],
    queryFn: ({ signal }) => client.webhookEndpoints.get(id, { signal }),
  });
}

export const DELIVERY_STATES = ['failed', 'pending', 'succeeded'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];
/** The deliveries that are shown; an empty text for all. */
export type DeliveryFilter = DeliveryState | '';

/** The newest deliveries of an endpoint, read again every few seconds while `isLive`. */
export function useDeliveries(id: string, status: DeliveryFilter, isLive: boolean) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'webhooks', id, 'deliveries', { status }],
    queryFn: async ({ signal }) => {
      const filter = status ? { status } : {};
      return (await client.webhookEndpoints.listDeliveries(id, { limit: 50, ...filter }, { signal })).data;
    },
    refetchInterval: isLive ? TAIL_MS : false,
  });
}

const OLDEST = 100;

/** The sequence after which a replay repeats the oldest failed delivery and all since; null when none has failed. */
export function useFirstFailure(id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'webhooks', id, 'first-failure'],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const page = (offset: number) =>
        client.webhookEndpoints.listDeliveries(id, { status: 'failed', limit: OLDEST, offset }, { signal });
      const newest = await page(0);
      const { total } = newest.pagination;
      const { data } = total > OLDEST ? await page(Math.min(total - OLDEST, MOST_OFFSET)) : newest;
      // A ping has no sequence.
      const first = data.findLast(({ type }) => type !== 'ping');
      return first ? (await client.events.get(first.event_id, { signal })).sequence - 1 : null;
    },
  });
}

/** A delivery with the body that was sent; read again until it is settled. */
export function useDelivery(endpointId: string, id: string) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'webhooks', endpointId, 'deliveries', id],
    queryFn: ({ signal }) => client.webhookEndpoints.getDelivery(endpointId, id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? TAIL_MS : false),
  });
}

export interface NewEndpoint {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

type Filters = WebhookEndpoint['events'];

/** Makes an endpoint. */
export function useNewEndpoint() {
  const client = useClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ url, description, events }: NewEndpoint) =>
      client.webhookEndpoints.create({
        url,
        description: description || null,
        events: [...events] as Filters as never,
      }),
    onSuccess: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  const environment = useEnvironment();
  return () => queries.invalidateQueries({ queryKey: [environment, 'webhooks'] });
}

/** The mutations of an endpoint. */
export function useEndpointActions(id: string) {
  const client = useClient();
  const onSuccess = useRefresh();
  const endpoints = client.webhookEndpoints;
  return {
    ping: useMutation({ mutationFn: () => endpoints.ping(id), onSuccess }),
    rotate: useMutation({ mutationFn: () => endpoints.rotateSecret(id), onSuccess }),
    replay: useMutation({
      mutationFn: (since: number) => endpoints.replayEvents(id, { since_sequence: since }),
      onSuccess,
    }),
    enable: useMutation({ mutationFn: (enabled: boolean) => endpoints.update(id, { enabled }), onSuccess }),
    remove: useMutation({ mutationFn: () => endpoints.remove(id), onSuccess }),
    retry: useMutation({ mutationFn: (deliveryId: string) => endpoints.retryDelivery(id, deliveryId), onSuccess }),
  };
}
