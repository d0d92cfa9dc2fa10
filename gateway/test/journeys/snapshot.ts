import type { Parts } from '@swim/testing';
import { until } from '@swim/testing';

type Database = ReturnType<Parts['database']>;
/** Documents as text, by database and collection. */
export type Contents = Record<string, string[]>;

// Longer than the intervals at which services look after what was left undone.
const AT_REST_MS = 1_300;
// Proves at each start that the engine keeps its promises; holds nothing of anybody.
const PROBE = 'engine_probe';

const withoutUse = (document: object) => JSON.stringify({ ...document, lastUsedAt: undefined });

async function read(databases: Database[]): Promise<Contents> {
  const contents: Contents = {};
  for (const database of databases) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      if (name === PROBE) continue;
      const documents = await database.collection(name).find().toArray();
      contents[`${database.databaseName.replace(/^[^_]*_/, '')}.${name}`] = documents.map(withoutUse).sort();
    }
  }
  return contents;
}

/**
 * Every document of these databases as text, by database and collection, once nothing has changed for a while: events
 * are on their way for a moment after what they tell of. When a key was last used is left out.
 */
export async function snapshotOf(databases: Database[]): Promise<Contents> {
  let known = await read(databases);
  let sinceMs = performance.now();
  await until(
    async () => {
      const now = await read(databases);
      if (JSON.stringify(now) !== JSON.stringify(known)) sinceMs = performance.now();
      known = now;
      return performance.now() - sinceMs > AT_REST_MS;
    },
    'nothing changes any more',
    60_000,
  );
  return known;
}

/** What is not the same any more: one line for each document that came or went. */
export function differencesBetween(before: Contents, after: Contents): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const only = (these: string[] = [], others: string[] = []) => these.filter((each) => !others.includes(each));
  return names.flatMap((name) => [
    ...only(before[name], after[name]).map((document) => `- ${name} ${document}`),
    ...only(after[name], before[name]).map((document) => `+ ${name} ${document}`),
  ]);
}
