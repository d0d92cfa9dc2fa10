import path from 'node:path';
import readline from 'node:readline';
import repl from 'node:repl';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { MongoClient } from 'mongodb';
import { readJson } from '../system/json-file.mjs';
import { LOCAL } from '../system/paths.mjs';
import { SERVICES } from './product-processes.mjs';

/**
 * A shell on the database of the running stack, or of `MONGODB_URI`: `npm run db`, or one expression: `npm run db -- "booking.test.bookings.findOne()"`.
 * `booking.live` and `booking.test` are the databases of a service, their members its collections, with the methods of
 * MongoDB's driver. The value of an expression is awaited; of a cursor the first 20 documents are shown.
 */
const MOST_SHOWN = 20;

const uri = process.env.MONGODB_URI ?? readJson(path.join(LOCAL, 'stack.json'))?.mongodb_uri;
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
    const expression = `(async () => (${words.join(' ')}\n))()`;
    console.log(inspect(await shown(vm.runInNewContext(expression, { ...context, Date })), { depth: null }));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
  await client.close();
} else {
  console.log(`${SERVICES.join(', ')}: try \`await people.test.instructors.find({}, {projection: {name: 1}})\``);
  const input = process.stdin.isTTY ? process.stdin : new PassThrough();
  const writer = (value) => inspect(value, { depth: null });
  const shell = repl.start({ prompt: 'db> ', input, output: process.stdout, writer });
  shell.on('exit', () => void client.close());
  Object.assign(shell.context, context, { shown });
  const { eval: evaluate, displayPrompt } = shell;
  Object.assign(shell, {
    eval: (line, ...rest) => evaluate.call(shell, isExpression(line) ? `await shown((${line}\n))\n` : line, ...rest),
    displayPrompt(keepsCursor) {
      displayPrompt.call(shell, keepsCursor);
      shell.emit('prompt');
    },
  });
  if (!process.stdin.isTTY) await writeLines(shell, input);
}

/** Passes piped lines on, each once the one before has been answered: the shell ends with its input, whatever it still awaits. */
async function writeLines(shell, input) {
  let answered = () => {};
  for (const event of ['prompt', 'exit']) shell.on(event, () => answered());
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answer = new Promise((resolve) => (answered = resolve));
    if (shell.closed) break;
    input.write(`${line}\n`);
    await answer;
  }
  input.end();
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
  if (typeof result?.toArray !== 'function') return result;
  const documents = [];
  for await (const document of result) if (documents.push(document) === MOST_SHOWN) break;
  return documents;
}

function isExpression(line) {
  try {
    new vm.Script(`async () => (${line}\n)`);
    return line.trim() !== '';
  } catch {
    return false;
  }
}
