import { setTimeout } from 'node:timers/promises';
import { type TestHarness, until } from '@swim/testing';

type Database = ReturnType<TestHarness['database']>;
type Connection = TestHarness['connection'];
/** Documents as text, by database and collection. */
export type Contents = Record<string, string[]>;

// Longer than the intervals at which services resume unfinished work.
const AT_REST_MS = 1_300;
// What services write by themselves: the probe at each start, and how far the audit of claims has come. The access log grows
// with every answer that names members, dry runs and reads among them, as it should; log and counts of requests with every answer.
const LEFT_OUT = ['engine_probe', 'claim_audits', 'access_log', 'request_log', 'usage_counts'];

const STREAMS = ['EVENTS_TEST', 'EVENTS_LIVE'];

interface Consumers {
  consumers: { num_pending: number; num_ack_pending: number }[] | null;
}

/** Whether every event that was published has been handled by all its consumers. */
async function isDelivered(connection: Connection): Promise<boolean> {
  for (const stream of STREAMS) {
    const reply = await connection.request(`$JS.API.CONSUMER.LIST.${stream}`, '', { timeout: 20_000 });
    const { consumers } = reply.json<Consumers>();
    if (consumers?.some(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0)) return false;
  }
  return true;
}

// Binary values as text: the copies of published events are JSON.
const textOf = (document: object) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(document).map(([name, value]) => [name, value?._bsontype === 'Binary' ? value.toString() : value]),
    ),
  );
const withoutUse = (document: object) => textOf({ ...document, lastUsedAt: undefined });
// A claim has a plan until its sessions are published.
const hasUnpublished = (documents: Record<string, unknown>[]) =>
  documents.some(({ outbox, plan }) => (Array.isArray(outbox) && outbox.length > 0) || plan !== undefined);

/** What the databases hold, and whether every event that was stored has been published. */
interface Reading {
  contents: Contents;
  isPublished: boolean;
}

/** Every document of these databases as text, by database and collection. */
export const contentsOf = async (databases: Database[]): Promise<Contents> => (await read(databases, [])).contents;

async function read(databases: Database[], leftOut = LEFT_OUT): Promise<Reading> {
  const reading: Reading = { contents: {}, isPublished: true };
  for (const database of databases) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await database.collection(name).find().toArray();
      if (hasUnpublished(documents)) reading.isPublished = false;
      if (leftOut.includes(name)) continue;
      reading.contents[`${database.databaseName.replace(/^[^_]*_/, '')}.${name}`] = documents.map(withoutUse).sort();
    }
  }
  return reading;
}

/**
 * Every document of these databases as text, by database and collection, once all events have been published and handled
 * and nothing has changed for a while. When a key was last used, and the access log, are left out.
 */
export function snapshotOf(databases: Database[], connection: Connection): Promise<Contents> {
  let before = '';
  const rest = async (): Promise<Contents | null> => {
    // Reading everything is dear: only once the events are delivered, and not again within this time.
    await until(() => isDelivered(connection), 'every event is handled');
    const { contents, isPublished } = await read(databases);
    const text = JSON.stringify(contents);
    if (text === before && isPublished && (await isDelivered(connection))) return contents;
    before = text;
    await setTimeout(AT_REST_MS);
    return null;
  };
  return until(rest, 'nothing changes any more');
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
