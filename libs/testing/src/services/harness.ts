import { randomBytes } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { ErrorBody, InputOf, Operation, ParsedOf, Principal, Reason } from '@swim/contracts';
import { answerHeaders, connectNats, RpcClient, readRequestContext } from '@swim/messaging';
import {
  type Answer,
  type Answered,
  AppError,
  answerOf,
  BUDGET_MS,
  createLogger,
  Deadline,
  errorAnswer,
  makeRequestContext,
  newId,
  type RequestContextSeed,
  resultOf,
} from '@swim/platform';
import mongoose from 'mongoose';
import { freePort, startNats, type TestNats } from '../servers/nats-server.js';
import { recordBackgroundWork } from '../waiting/background-work.js';
import { until } from '../waiting/until.js';
import { schoolPrincipal } from './builders.js';

/** Options of a request: its principal, its key, and so on. */
export type RequestOptions = Partial<Omit<RequestContextSeed, 'deadline'>> & { budgetMs?: number };

/** A handler of a fake service. */
export type FakeHandler<O extends Operation> = (
  input: ParsedOf<O>,
  principal: Principal,
) => Answered<O> | Promise<Answered<O>>;

/** The engines of a service's tests: a nats-server of their own, databases of their own. */
export interface TestHarness {
  readonly nats: TestNats;
  readonly connection: NatsConnection;
  readonly client: RpcClient;
  /** Environment variables of a service process that uses these engines. */
  readonly env: Record<string, string>;
  /** Requests an operation as a client does through the gateway; throws the AppError of a rejection. */
  call<O extends Operation>(operation: O, input: InputOf<O>, options?: RequestOptions): Promise<Answered<O>>;
  /** As `call`; null when the error is one after which a client retries under the same key. */
  attempt<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    options?: RequestOptions,
  ): Promise<{ value: Answered<O> } | null>;
  /**
   * As `call`, but repeats the request, as a client does that retries under one key, until the service answers it with a
   * result or with an error that a retry would not change. `before` runs before each try.
   */
  insist<O extends Operation>(
    operation: O,
    input: InputOf<O>,
    options: RequestOptions,
    before?: () => Promise<unknown>,
  ): Promise<Answered<O>>;
  /** As `call`, returning bytes and flags. */
  request<O extends Operation>(operation: O, input: InputOf<O>, options?: RequestOptions): Promise<Answer>;
  /** Serves an operation as a fake of the service that owns it. Returns the function that ends it. */
  serve<O extends Operation>(operation: O, handler: FakeHandler<O>): () => void;
  /** A database of the tests, for direct access. */
  database(name: string): mongoose.mongo.Db;
  stop(): Promise<void>;
}

const secret = () => randomBytes(32).toString('base64');

function databaseUri(): string {
  const uri = process.env.TEST_MONGODB_URI;
  if (!uri) throw new Error('TEST_MONGODB_URI names no database: run the tests by `npm test`.');
  return uri;
}

async function environment(uri: string, nats: TestNats): Promise<Record<string, string>> {
  return {
    MONGODB_URI: uri,
    NATS_URL: nats.url,
    NATS_PASSWORD: nats.password,
    DATABASE_PREFIX: `t${randomBytes(5).toString('hex')}`,
    HEALTH_PORT: String(await freePort()),
    HEALTH_HOST: '127.0.0.1',
    KEY_PEPPER: secret(),
    DATA_KEY: secret(),
    CURSOR_SECRET: secret(),
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    IDEMPOTENCY_LEASE_MS: '400',
    CLAIM_LEASE_MS: '400',
  };
}

const contextOf = (operation: Operation, { budgetMs, ...options }: RequestOptions = {}) =>
  makeRequestContext({
    requestId: newId('req'),
    principal: schoolPrincipal,
    fingerprint: options.idempotencyKey ? 'the same body' : null,
    ...options,
    deadline: new Deadline(budgetMs ?? BUDGET_MS[operation.kind]),
  });

const MOST_READS = 4;
/** What a service accepts at most. */
const LONGEST_BUDGET_MS = 60_000;
const BUSY: readonly string[] = ['deadline_exceeded', 'overloaded'] satisfies Reason[];

const PASSING: readonly string[] = ['idempotency_in_progress', 'change_in_progress', 'busy_retry'] satisfies Reason[];

/** The value of `work`; null when it failed with an error after which a client retries. */
async function unlessPassing<T>(work: () => Promise<T>): Promise<{ value: T } | null> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof AppError && (error.code === 'SERVER_ERROR' || PASSING.includes(error.reason))) return null;
    throw error;
  }
}

const isBusy = ({ error, body }: Answer): boolean =>
  error && BUSY.includes((JSON.parse(Buffer.from(body).toString()) as ErrorBody).details.reason);

/** Repeats a read that a busy machine let time out or rejected; a read with less than the default budget is not repeated. */
async function patient(
  { kind }: Operation,
  options: RequestOptions | undefined,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (kind === 'write' || (options?.budgetMs ?? Infinity) < BUDGET_MS[kind]) return send();
  for (let time = 1; time < MOST_READS; time++) {
    const answer = await send().catch((error: unknown) => {
      if (error instanceof AppError && BUSY.includes(error.reason)) return null;
      throw error;
    });
    if (answer && !isBusy(answer)) return answer;
  }
  return send();
}

async function dropDatabases(connection: mongoose.Connection, prefix: string): Promise<void> {
  const { databases } = await connection.db!.admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((database) => database.name.startsWith(`${prefix}_`))) {
    await connection.useDb(name).dropDatabase();
  }
}

/**
 * Starts the engines, and sets their environment variables on this process too, so that a service's config can be imported
 * afterwards.
 */
export async function startHarness(): Promise<TestHarness> {
  // First, since otherwise its nats-server would outlive a test that fails here.
  const uri = databaseUri();
  const nats = await startNats();
  try {
    return await connectHarness(uri, nats);
  } catch (error) {
    await nats.stop();
    throw error;
  }
}

async function connectHarness(uri: string, nats: TestNats): Promise<TestHarness> {
  const env = await environment(uri, nats);
  Object.assign(process.env, env);
  recordBackgroundWork();
  const connection = await connectNats(nats.url, 'tests', createLogger('tests', 'silent'));
  const client = new RpcClient(connection, undefined, { longestMs: LONGEST_BUDGET_MS });
  const mongo = mongoose.createConnection(env.MONGODB_URI!, { maxPoolSize: 8 });
  await mongo.asPromise();
  const request: TestHarness['request'] = (operation, input, options) =>
    patient(operation, options, () => client.request(operation, JSON.stringify(input), contextOf(operation, options)));
  const call: TestHarness['call'] = async (operation, input, options) =>
    resultOf(operation, await request(operation, input, options));
  const attempt: TestHarness['attempt'] = (operation, input, options) =>
    unlessPassing(() => call(operation, input, options));
  const insist: TestHarness['insist'] = async (operation, input, options, before) => {
    const once = async () => {
      await before?.();
      return attempt(operation, input, options);
    };
    return (await until(once, `${operation.name} is answered`)).value;
  };
  return {
    nats,
    connection,
    client,
    env,
    request,
    call,
    attempt,
    insist,
    serve: (operation, handler) => serveOn(connection, operation, handler),
    database: (name) => mongo.useDb(`${env.DATABASE_PREFIX}_${name}`, { useCache: true }).db!,
    async stop() {
      try {
        await client.close();
        await connection.close();
        await dropDatabases(mongo, env.DATABASE_PREFIX!);
        await mongo.close();
      } finally {
        await nats.stop();
      }
    },
  };
}

async function answerInPlace<O extends Operation>(operation: O, message: Msg, handler: FakeHandler<O>): Promise<void> {
  const answer = await Promise.resolve()
    .then(() =>
      handler(operation.input.parse(message.json()) as ParsedOf<O>, readRequestContext(message.headers).principal),
    )
    .then((value) => answerOf(operation, value), errorAnswer);
  message.respond(answer.body, { headers: answerHeaders(answer) });
}

function serveOn<O extends Operation>(connection: NatsConnection, operation: O, handler: FakeHandler<O>): () => void {
  const callback = (_: unknown, message: Msg) => void answerInPlace(operation, message, handler);
  const subscription = connection.subscribe(operation.subject, { queue: operation.service, callback });
  return () => subscription.unsubscribe();
}

/** The error with which `work` was rejected; fails when it was not. */
export async function rejectionOf(work: Promise<unknown>): Promise<AppError> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw outcome ?? new Error('It was not rejected.');
}
