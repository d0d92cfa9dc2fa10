import path from 'node:path';
import repl from 'node:repl';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { MongoClient } from 'mongodb';
import { readJson } from '../system/json-file.mjs';
import { LOCAL } from '../system/paths.mjs';
import { SERVICES } from './product-processes.mjs';

/**
 * A shell on the database of the running stack: `npm run db`, or one expression: `npm run db -- "booking.test.bookings.findOne()"`.
 * `booking.live` and `booking.test` are the databases of a service, their members its collections, with the methods of
 * MongoDB's driver. The shell awaits expressions; a cursor becomes a list of at most 20 documents.
 */
const MOST_SHOWN = 20;

const uri = readJson(path.join(LOCAL, 'stack.json'))?.mongodb_uri;
if (!uri) {
  console.error('No stack of this clone is running: start it with `npm start`.');
  process.exit(1);
}
const client = await new MongoClient(uri).connect();
const prefix = process.env.DATABASE_PREFIX ?? 'swim';
const context = { client, ...Object.fromEntries(SERVICES.map((service) => [service, databasesOf(service)])) };
const [, , ...words] = process.argv;

if (words.length > 0) {
  try {
    console.log(inspect(await shown(vm.runInNewContext(words.join(' '), { ...context, Date })), { depth: null }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
  await client.close();
} else {
  console.log(`${SERVICES.join(', ')}: try \`await people.test.instructors.find({}, {projection: {name: 1}})\``);
  const shell = repl.start({ prompt: 'db> ', eval: evaluate, writer: (value) => inspect(value, { depth: null }) });
  shell.on('exit', () => void client.close());
  Object.assign(shell.context, context);
}

function databasesOf(service) {
  const database = (env) =>
    new Proxy(client.db(`${prefix}_${service}_${env}`), {
      get: (target, name) => (name in target ? target[name] : target.collection(String(name))),
    });
  return { live: database('live'), test: database('test') };
}

async function shown(value) {
  const result = await value;
  return typeof result?.toArray === 'function' ? result.limit(MOST_SHOWN).toArray() : result;
}

function evaluate(line, shellContext, _, done) {
  Promise.resolve()
    .then(() => shown(vm.runInContext(line.trim().replace(/^await\s+/, ''), shellContext)))
    .then((value) => done(null, value), done);
}
