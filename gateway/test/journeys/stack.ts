import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type AccountKind, type Environment, SCOPES, type Scope, SERVICES, type ServiceName } from '@swim/contracts';
import { formatApiKey, hashKeyDigest, newId, parseApiKey } from '@swim/platform';
import {
  ChaosProxy,
  freePort,
  type ServiceProcess,
  startHarness,
  startProcess,
  type TestHarness,
  type TestNats,
} from '@swim/testing';
import { Customer } from './customer.js';
import { type Contents, contentsOf, snapshotOf } from './snapshot.js';

type Part = ServiceName | 'gateway';

const HIGH = '1000000';
const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: HIGH, FAILED_AUTH_PER_MINUTE: HIGH };
// The harness shortens the leases for tests of one service; here they are as in production.
const LEASES = { IDEMPOTENCY_LEASE_MS: '15000', CLAIM_LEASE_MS: '5000' };
/** Secret of the webhooks of Stripe. */
export const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_journeys';
// Its webhooks are received. Nothing is sent to it: no journey pays with a live key.
const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_journeys',
  STRIPE_WEBHOOK_SECRET,
  STRIPE_API_URL: 'http://127.0.0.1:9',
};
const SECRETS_OF_SERVICES = { KEY_PEPPER: '', DATA_KEY: '', CURSOR_SECRET: '' };

const root = new URL('../../../', import.meta.url);
const mainOf = (part: Part) =>
  new URL(part === 'gateway' ? 'gateway/bundle/main.js' : `services/${part}/bundle/main.js`, root);

type Stored = Record<string, unknown> & { _id: string };
type Accounts = Record<AccountKind, { id: string; key: string }>;

/** How a key differs from one that has every scope and never expires. */
export interface KeyTerms {
  scopes?: readonly Scope[];
  expiresAt?: Date | null;
  revokedAt?: Date | null;
}

/** The whole product in processes of its own, with a nats-server and databases of its own. */
export class Stack {
  private readonly processes = new Map<Part, ServiceProcess[]>();
  private readonly addresses: string[] = [];
  private demo!: Accounts;
  private accounts!: Accounts;

  private constructor(
    private readonly harness: TestHarness,
    private readonly env: Record<string, string>,
    /** Stands between the services and the database. */
    readonly database: ChaosProxy,
  ) {}

  /** Starts everything; `env` changes the environment of all processes. */
  static async start(env: Record<string, string> = {}): Promise<Stack> {
    const harness = await startHarness();
    const proxy = await ChaosProxy.before(harness.env.MONGODB_URI!);
    const stack = new Stack(
      harness,
      { ...harness.env, ...LIMITS, ...LEASES, ...STRIPE, NODE_ENV: 'production', MONGODB_URI: proxy.uri, ...env },
      proxy,
    );
    const begun = await Promise.allSettled([
      stack.seed(),
      ...SERVICES.map((name) => stack.add(name)),
      stack.addGateway(),
    ]);
    const failed = begun.find((each) => each.status === 'rejected');
    if (!failed) return stack;
    await stack.stop();
    throw failed.reason;
  }

  get nats(): TestNats {
    return this.harness.nats;
  }

  /** The address of the gateway that was started first, without the version. */
  get origin(): string {
    return this.addresses[0]!;
  }

  /** A school: that of the demo, until `openAccounts` replaces it. */
  get school(): Customer {
    return this.customer(this.accounts.school);
  }

  /** A family: that of the demo, until `openAccounts` replaces it. */
  get family(): Customer {
    return this.customer(this.accounts.family);
  }

  /** A client without a key. */
  get stranger(): Customer {
    return this.customer({ id: '', key: '' });
  }

  /** Starts one more replica of a service and resolves when it is ready. */
  async add(name: ServiceName): Promise<ServiceProcess> {
    return this.launch(name, {});
  }

  /** Starts one more gateway and returns its address, without the version. */
  async addGateway(env: Record<string, string> = {}): Promise<string> {
    const port = await freePort();
    await this.launch('gateway', { ...SECRETS_OF_SERVICES, PORT: String(port), HOST: '127.0.0.1', ...env });
    this.addresses.push(`http://127.0.0.1:${port}`);
    return this.addresses.at(-1)!;
  }

  /** Ends all replicas of a service as a crash would. */
  async kill(name: Part): Promise<void> {
    await Promise.all(this.replicasOf(name).map((each) => each.kill()));
    this.processes.delete(name);
  }

  /** Stops the oldest replica of a service, and waits until it has ended. */
  async retire(name: Part): Promise<void> {
    const [oldest, ...others] = this.replicasOf(name);
    this.processes.set(name, others);
    await oldest!.kill('SIGTERM');
  }

  /** Suspends all replicas of a service; they keep their connections. */
  freeze(name: Part): void {
    for (const { pid } of this.replicasOf(name)) process.kill(pid, 'SIGSTOP');
  }

  /** Resumes the replicas that `freeze` suspended. */
  thaw(name: Part): void {
    for (const { pid } of this.replicasOf(name)) process.kill(pid, 'SIGCONT');
  }

  /** Whether every process that was not ended on purpose still runs. */
  get isWhole(): boolean {
    return [...this.processes.values()].flat().every((each) => !each.ended);
  }

  /** Makes `school` and `family` new accounts, so that nothing has happened in them yet. */
  async openAccounts(): Promise<void> {
    this.accounts = { school: await this.open('school'), family: await this.open('family') };
  }

  /** Opens an account with a key, as signing up would. */
  async open(kind: AccountKind, env: Environment = 'test'): Promise<Customer> {
    const id = newId('acct');
    const pattern = await this.patternOf('accounts', { _id: this.demo[kind].id });
    await this.insert(env, 'accounts', { ...pattern, _id: id, readers: [id] });
    return this.mint(id, {}, env);
  }

  /** Another key of an account. */
  async mint(
    accountId: string,
    { scopes = SCOPES, expiresAt = null, revokedAt = null }: KeyTerms = {},
    env: Environment = 'test',
  ): Promise<Customer> {
    const key = formatApiKey(env, newId('key'), randomBytes(32));
    const { keyId, digest } = parseApiKey(key)!;
    const hash = hashKeyDigest(digest, Buffer.from(this.env.KEY_PEPPER!, 'base64')).toString('base64');
    const pattern = await this.patternOf('api_keys', { accountId: this.demo.school.id });
    const own = { _id: keyId, accountId, readers: [accountId], hash, last4: key.slice(-4) };
    await this.insert(env, 'api_keys', { ...pattern, ...own, scopes: [...scopes], expiresAt, revokedAt });
    return this.customer({ id: accountId, key });
  }

  /** Documents of one of a service's collections in the sandbox. */
  async stored(
    service: ServiceName,
    collection: string,
    filter: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>[]> {
    return this.harness.database(`${service}_test`).collection(collection).find(filter).toArray();
  }

  /** Has the sessions of a user be confirmed no longer; each gets another cookie with its next page. */
  async makeSessionsStale(userId: string): Promise<void> {
    const sessions = this.harness.database('people_users').collection('user_sessions');
    const change = { confirmedAt: new Date(Date.now() - 600_000), rotatedAt: new Date(0) };
    await sessions.updateMany({ userId }, { $set: change });
  }

  /** Changes fields of a user of the dashboard. */
  async changeUser(id: string, fields: Record<string, unknown>): Promise<void> {
    await this.harness.database('people_users').collection<Stored>('users').updateOne({ _id: id }, { $set: fields });
  }

  /** All documents of the services, once they have stopped changing; uses of keys are left out. */
  snapshot(): Promise<Contents> {
    return snapshotOf(this.databases, this.harness.connection);
  }

  /** All documents of the services as they are now, with logs and uses of keys. */
  contents(): Promise<Contents> {
    return contentsOf(this.databases);
  }

  /** Ends all processes and removes all data. */
  async stop(): Promise<void> {
    await Promise.all([...this.processes.keys()].map((name) => this.kill(name)));
    await this.database.close();
    await this.harness.stop();
  }

  private customer({ id, key }: { id: string; key: string }): Customer {
    return new Customer(`${this.origin}/v1`, id, key);
  }

  private get databases() {
    return SERVICES.flatMap((name) => [`${name}_test`, `${name}_live`]).map((name) => this.harness.database(name));
  }

  private replicasOf(name: Part): ServiceProcess[] {
    return this.processes.get(name) ?? [];
  }

  private async launch(name: Part, env: Record<string, string>): Promise<ServiceProcess> {
    const replica = await startProcess(mainOf(name), { ...this.env, ...env, HEALTH_PORT: String(await freePort()) });
    this.processes.set(name, [...this.replicasOf(name), replica]);
    return replica;
  }

  /** A document of the demo: a copy of it has every field that people stores. */
  private async patternOf(collection: string, filter: Record<string, string>): Promise<Record<string, unknown>> {
    const [pattern] = await this.stored('people', collection, filter);
    return pattern!;
  }

  private async insert(env: Environment, collection: string, document: Stored): Promise<void> {
    await this.harness.database(`people_${env}`).collection<Stored>(collection).insertOne(document);
  }

  private async seed(): Promise<void> {
    const program = fileURLToPath(new URL('services/people/dist/demo.js', root));
    const env = { ...process.env, ...this.env, NODE_OPTIONS: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    this.demo = JSON.parse(stdout) as Accounts;
    this.accounts = this.demo;
  }
}
