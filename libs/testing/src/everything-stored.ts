import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHarness } from './harness.js';

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

const asText = (value: Uint8Array): string => Buffer.from(value).toString('latin1');

// Base64 is searched in decoded form as well.
const decoded = (text: string): string =>
  [...text.matchAll(BASE64)].map(([part]) => Buffer.from(part, 'base64').toString('latin1')).join(' ');

function filesIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names
    .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile())
    .map((name) => readFileSync(name, 'latin1'))
    .join('\n');
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
  const files = filesIn(harness.nats.folder);
  return [...texts, files, decoded(files)].join('\n');
}
