import { type TestHarness, until } from '@swim/testing';

type Database = ReturnType<TestHarness['database']>;
type Connection = TestHarness['connection'];
/** Documents as text, by database and collection. */
export type Contents = Record<string, string[]>;

// Longer than the intervals at which services look after what was left undone.
const AT_REST_MS = 1_300;
// What services write by themselves: the probe at each start, and how far the audit of claims has come. The access log grows
// with every answer that names members, dry runs and reads among them, as it should.
const LEFT_OUT = ['engine_probe', 'claim_audits', 'access_log'];

const STREAMS = ['EVENTS_TEST', 'EVENTS_LIVE'];

interface Consumers {
  consumers: { num_pending: number; num_ack_pending: number }[] | null;
}

/** Whether every event that was published has been handled by all who listen. */
async function isDelivered(connection: Connection): Promise<boolean> {
  for (const stream of STREAMS) {
    const reply = await connection.request(`$JS.API.CONSUMER.LIST.${stream}`, '', { timeout: 20_000 });
    const { consumers } = reply.json<Consumers>();
    if (consumers?.some(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0)) return false;
  }
  return true;
}

/** Whether every event that was stored has been published. */
async function isPublished(databases: Database[]): Promise<boolean> {
  for (const database of databases) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray())
      if (await database.collection(name).findOne({ 'outbox.0': { $exists: true } })) return false;
  }
  return true;
}

const withoutUse = (document: object) => JSON.stringify({ ...document, lastUsedAt: undefined });

async function read(databases: Database[]): Promise<Contents> {
  const contents: Contents = {};
  for (const database of databases) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      if (LEFT_OUT.includes(name)) continue;
      const documents = await database.collection(name).find().toArray();
      contents[`${database.databaseName.replace(/^[^_]*_/, '')}.${name}`] = documents.map(withoutUse).sort();
    }
  }
  return contents;
}

/**
 * Every document of these databases as text, by database and collection, once all events have been published and handled
 * and nothing has changed for a while. When a key was last used, and the access log, are left out.
 */
export async function snapshotOf(databases: Database[], connection: Connection): Promise<Contents> {
  let known = await read(databases);
  let sinceMs = performance.now();
  await until(
    async () => {
      const now = await read(databases);
      const isQuiet = JSON.stringify(now) === JSON.stringify(known) && (await isPublished(databases));
      if (!isQuiet || !(await isDelivered(connection))) sinceMs = performance.now();
      known = now;
      return performance.now() - sinceMs > AT_REST_MS;
    },
    'nothing changes any more',
    60_000,
  );
  return known;
}

/** What differs: one line for each document that came or went. */
export function differencesBetween(before: Contents, after: Contents): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const only = (these: string[] = [], others: string[] = []) => these.filter((each) => !others.includes(each));
  return names.flatMap((name) => [
    ...only(before[name], after[name]).map((document) => `- ${name} ${document}`),
    ...only(after[name], before[name]).map((document) => `+ ${name} ${document}`),
  ]);
}
