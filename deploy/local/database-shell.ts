import path from 'node:path';
import readline from 'node:readline';
import repl, { type REPLEval, type REPLServer } from 'node:repl';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { type Db, MongoClient } from 'mongodb';
import { readJson } from '../system/files/json-file.ts';
import { LOCAL } from '../system/paths.mjs';
import { SERVICES } from './stack/product-processes.ts';

/**
 * A shell on the database of the running stack, or of `MONGODB_URI`: `npm run db`, or one expression:
 * `npm run db -- "booking.test.bookings.findOne()"`.
 * `booking.live` and `booking.test` are the databases of a service, their members its collections, with the methods of
 * MongoDB's driver. The value of an expression is awaited; of a cursor the first 20 documents are shown.
 */
const MOST_SHOWN = 20;

const stack = readJson(path.join(LOCAL, 'stack.json')) as { mongodb_uri?: string } | null;
const uri = process.env.MONGODB_URI ?? stack?.mongodb_uri;
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
    console.error((error as Error).message);
    process.exitCode = 1;
  }
  await client.close();
} else {
  console.log(`${SERVICES.join(', ')}: try \`await people.test.instructors.find({}, {projection: {name: 1}})\``);
  const lines = new PassThrough();
  const input = process.stdin.isTTY ? process.stdin : lines;
  const writer = (value: unknown) => inspect(value, { depth: null });
  const shell = repl.start({ prompt: 'db> ', input, output: process.stdout, writer });
  shell.on('exit', () => void client.close());
  Object.assign(shell.context, context, { shown });
  const { eval: evaluate, displayPrompt } = shell;
  Object.assign(shell, {
    eval: (line: string, ...rest: ParametersAfterLine) =>
      evaluate.call(shell, isExpression(line) ? `await shown((${line}\n))\n` : line, ...rest),
    displayPrompt(keepsCursor?: boolean) {
      displayPrompt.call(shell, keepsCursor);
      shell.emit('prompt');
    },
  });
  if (!process.stdin.isTTY) await writeLines(shell, lines);
}

type ParametersAfterLine = Parameters<REPLEval> extends [string, ...infer Rest] ? Rest : never;

/** Passes piped lines on, each once the one before has been answered: the shell ends with its input, whatever it still awaits. */
async function writeLines(shell: REPLServer, input: PassThrough) {
  let answered = () => {};
  for (const event of ['prompt', 'exit']) shell.on(event, () => answered());
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    if ((shell as REPLServer & { closed: boolean }).closed) break;
    input.write(`${line}\n`);
    await answer;
  }
  input.end();
}

function databasesOf(service: string) {
  const database = (env: 'live' | 'test') =>
    new Proxy(client.db(`${prefix}_${service}_${env}`), {
      get: (target, name) => (name in target ? target[name as keyof Db] : target.collection(String(name))),
    });
  return { live: database('live'), test: database('test') };
}

async function shown(value: unknown): Promise<unknown> {
  const result = await value;
  if (!isCursor(result)) return result;
  const documents: unknown[] = [];
  for await (const document of result) if (documents.push(document) === MOST_SHOWN) break;
  return documents;
}

function isCursor(value: unknown): value is AsyncIterable<unknown> {
  return typeof (value as { toArray?: unknown } | null)?.toArray === 'function';
}

function isExpression(line: string) {
  try {
    new vm.Script(`async () => (${line}\n)`);
    return line.trim() !== '';
  } catch {
    return false;
  }
}
