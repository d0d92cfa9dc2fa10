/** These packages bring no types; only what the benches use is declared. */

declare module 'autocannon' {
  export interface Result {
    '2xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    /** Seconds. */
    duration: number;
    latency: { p50: number; p99: number };
    statusCodeStats: Record<string, { count: number }>;
  }

  export default function autocannon(options: object): Promise<Result>;
}

declare module 'pg' {
  export interface Queryable {
    // biome-ignore lint/suspicious/noExplicitAny: rows have the columns of the query.
    query(query: string | object, values?: unknown[]): Promise<{ rows: any[] }>;
  }

  export class Client implements Queryable {
    constructor(options: { connectionString: string });
    connect(): Promise<void>;
    query: Queryable['query'];
    end(): Promise<void>;
  }

  export interface PoolClient extends Queryable {
    release(): void;
  }

  export class Pool implements Queryable {
    constructor(options: { connectionString: string; max: number });
    connect(): Promise<PoolClient>;
    query: Queryable['query'];
  }

  const pg: { Client: typeof Client; Pool: typeof Pool };
  export default pg;
}
