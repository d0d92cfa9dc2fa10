import mongoose, { type mongo } from 'mongoose';

/** A query that a service in this process has sent. */
export interface SentQuery {
  collection: string;
  filter: mongo.Filter<mongo.Document>;
  sort: mongo.Sort;
}

interface Stage {
  $match?: SentQuery['filter'];
  $unionWith?: { coll: string; pipeline: Stage[] };
}

/** Records the queries that services in this process send, until `stop`: also those that one aggregation unites. */
export function recordQueries(): { sent: readonly SentQuery[]; stop: () => void } {
  const sent: SentQuery[] = [];
  const record = (collection: string, stages: readonly Stage[]): void => {
    for (const { $match: filter, $unionWith: other } of stages) {
      if (filter) sent.push({ collection, filter, sort: {} });
      if (other) record(other.coll, other.pipeline);
    }
  };
  mongoose.set('debug', (collection: string, method: string, query: object, options?: { sort?: mongo.Sort }) => {
    if (method === 'find') sent.push({ collection, filter: query, sort: options?.sort ?? {} });
    if (method === 'distinct') sent.push({ collection, filter: options as SentQuery['filter'], sort: {} });
    if (method === 'aggregate') record(collection, query as Stage[]);
  });
  return { sent, stop: () => void mongoose.set('debug', false) };
}

/**
 * The names of the secondary indexes that the database uses for a query; none when it reads the whole collection. The
 * collection should have many documents: a scan of few is cheaper.
 */
export async function indexesFor(database: mongo.Db, { collection, filter, sort }: SentQuery): Promise<string[]> {
  const explained = await database.collection(collection).find(filter).sort(sort).explain('queryPlanner');
  const { queryPlanner } = explained as { queryPlanner: { winningPlan?: object } };
  // MongoDB names the winning plan; the offline engine returns PostgreSQL's plan.
  const plan = JSON.stringify(queryPlanner.winningPlan ?? queryPlanner);
  const names = plan.matchAll(queryPlanner.winningPlan ? /"indexName":"([^"]+)"/g : /"Index Name":"([^"]+)"/g);
  return [...names].map(([, name]) => name!).filter((name) => name !== '_id_');
}
