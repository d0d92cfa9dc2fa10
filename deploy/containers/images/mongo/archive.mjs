// Stands in for mongodump and mongorestore with the options that deploy/mongo/backup.sh gives them: no registry of packages has these. An
// archive has a line for each collection, with its indexes, and one for each of its documents.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';

const { BSON, MongoClient } = createRequire('/opt/mongosh/')('mongodb');
const BATCH = 500;
const flag = { type: 'boolean' };
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { config: { type: 'string' }, db: { type: 'string' }, quiet: flag, gzip: flag, archive: flag, drop: flag },
});
const [, uri] = /^uri: *(\S+)/m.exec(fs.readFileSync(values.config, 'utf8'));

async function* dump(client) {
  const db = client.db(values.db);
  for await (const { name } of db.listCollections({}, { nameOnly: true })) {
    yield `${JSON.stringify({ db: values.db, name, indexes: await db.collection(name).indexes() })}\n`;
    for await (const bytes of db.collection(name).find({}, { raw: true })) yield `${bytes.toString('base64')}\n`;
  }
}

async function restore(client) {
  let collection;
  let documents = [];
  const store = async () => {
    if (documents.length > 0) await collection.insertMany(documents);
    documents = [];
  };
  for await (const line of readline.createInterface({ input: process.stdin.pipe(zlib.createGunzip()) })) {
    if (line.startsWith('{')) {
      await store();
      collection = await make(client, JSON.parse(line));
    } else documents.push(BSON.deserialize(Buffer.from(line, 'base64'), { promoteValues: false }));
    if (documents.length === BATCH) await store();
  }
  await store();
}

async function make(client, { db, name, indexes }) {
  const collection = client.db(db).collection(name);
  if (values.drop) await collection.drop();
  await client.db(db).createCollection(name);
  const own = indexes.filter((each) => each.name !== '_id_');
  if (own.length > 0) await client.db(db).command({ createIndexes: name, indexes: own });
  return collection;
}

const client = await MongoClient.connect(uri);
if (process.argv[2] === 'mongorestore') await restore(client);
else {
  const packed = zlib.createGzip();
  packed.pipe(process.stdout);
  for await (const line of dump(client)) packed.write(line);
  packed.end();
}
await client.close();
