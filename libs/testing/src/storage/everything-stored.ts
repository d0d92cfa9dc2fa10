import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHarness } from '../services/harness.js';

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const asText = (value: Uint8Array): string => Buffer.from(value).toString('latin1');

// Base64 is searched in decoded form as well.
const decoded = (text: string): string =>
  [...text.matchAll(BASE64)].map(([part]) => Buffer.from(part, 'base64').toString('latin1')).join(' ');

function contentsIn(folder: string): string[] {
  const entries = unlessRemoved(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return contentsIn(path);
    return entry.isFile() ? (unlessRemoved(() => readFileSync(path, 'latin1')) ?? []) : [];
  });
}

// A running server removes files and folders at any time.
function unlessRemoved<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** All stored data as text: all documents of all databases, binary and base64 decoded, and NATS's files. */
export async function everythingStored(harness: TestHarness): Promise<string> {
  const texts: string[] = [];
  const { databases } = await harness.database('').admin().listDatabases({ nameOnly: true });
  const prefix = `${harness.env.DATABASE_PREFIX}_`;
  for (const { name } of databases.filter((each) => each.name.startsWith(prefix))) {
    const database = harness.database(name.slice(prefix.length));
    for (const collection of await database.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await database.collection(collection.name).find().toArray();
      const plain = (_: string, value: unknown) => (value instanceof Uint8Array ? asText(value) : value);
      const text = JSON.stringify(documents, plain);
      texts.push(`${name}.${collection.name}: ${text}`, decoded(text));
    }
  }
  const files = contentsIn(harness.nats.folder).join('\n');
  return [...texts, files, decoded(files)].join('\n');
}
