import type { Seen } from './report.ts';

/** How many streams the product has. */
export const STREAMS = 6;
const URL_OF_STREAMS = 'http://127.0.0.1:8222/jsz?accounts=true&streams=true&config=true';

interface Replica {
  current: boolean;
}

/** What a server says of its streams. */
interface Figures {
  account_details?: {
    stream_detail?: {
      name: string;
      config: { num_replicas: number };
      cluster?: { leader?: string; replicas?: Replica[] };
    }[];
  }[];
}

/**
 * Counts the replicas of each stream that are up to date. A leader knows all replicas of a stream.
 * @param read - reads an address inside a server.
 */
export async function streamReplicas(
  servers: string[],
  read: (server: string, url: string) => Promise<string>,
): Promise<Seen> {
  const current = new Map<string, number>();
  for (const server of servers) {
    const { account_details: accounts = [] }: Figures = JSON.parse(await read(server, URL_OF_STREAMS));
    for (const { name, cluster } of accounts.flatMap(({ stream_detail: streams = [] }) => streams)) {
      const others = (cluster?.replicas ?? []).filter((each) => each.current).length;
      current.set(name, Math.max(current.get(name) ?? 0, 1 + others));
    }
  }
  const seen = [...current].map(([name, count]) => `${name} ${count}`).join(', ');
  return { seen, passed: current.size === STREAMS && [...current.values()].every((count) => count === servers.length) };
}
