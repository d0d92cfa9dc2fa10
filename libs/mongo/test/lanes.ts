import { type mongo, Schema } from 'mongoose';
import { ChaosProxy } from '../../testing/src/faults/chaos-proxy.js';
import { until } from '../../testing/src/waiting/until.js';
import { asSystem, type Databases, Repository } from '../src/index.js';
import { startHarness } from './harness.js';
import { family, startReplica } from './replica.js';

/** A lane that swimmers take. */
export interface Lane {
  _id: string;
  readers: string[];
  nr: number;
  /** Unique where it is set. */
  code?: string;
  taken: string[];
  until?: Date | null;
  w?: string[];
}

const laneSchema = () => {
  const schema = new Schema<Lane>(
    { _id: String, readers: [String], nr: Number, code: String, taken: [String], until: Date },
    { versionKey: false },
  );
  schema.index({ code: 1 }, { unique: true, sparse: true });
  return schema;
};

/** A repository of lanes with public methods. */
export class Lanes extends Repository<Lane> {
  constructor(databases: Databases) {
    super(databases.collection<Lane>('lanes', laneSchema()));
  }

  override model = super.model;
  override findMany = super.findMany;
  override update = super.update;
  override updateEach = super.updateEach;
  override updateIf = super.updateIf;
  override tryInsert = super.tryInsert;
  override tryInsertAll = super.tryInsertAll;
  override remove = super.remove;
}

export const scope = asSystem('test', 'a test writes');
export const PAST = new Date(0);
export const FAR_AHEAD = new Date('9999-01-01T00:00:00Z');
export const aLane = (_id: string): Lane => ({ _id, readers: [family.accountId], nr: 0, taken: [], until: PAST });

export const IDS = ['a', 'b', 'c', 'd'];

/** Two processes that write the same lanes. */
export interface LanesHarness {
  /** Reaches its database through `proxy`. */
  readonly own: Lanes;
  readonly other: Lanes;
  readonly proxy: ChaosProxy;
  /** The commands of `own` since the last `reset`. */
  readonly commands: string[];
  stored(): mongo.Collection<Lane>;
  /** The stored lanes without their tokens. */
  lanes(): Promise<Lane[]>;
  /** The reason that a client gets for a storage failure, or else the error. */
  reasonOf(error: unknown): unknown;
  /** Ends all disturbances, and stores the lanes of `IDS` alone. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLanes(): Promise<LanesHarness> {
  const harness = await startHarness();
  const proxy = await ChaosProxy.before(harness.config.MONGODB_URI);
  const address = new URL(proxy.uri);
  address.searchParams.set('monitorCommands', 'true');
  const first = await startReplica(harness, { MONGODB_URI: address.href });
  const replicas = [first, await startReplica(harness)];
  const [own, other] = replicas.map(({ databases }) => new Lanes(databases));
  await own!.model(scope).createIndexes();
  const commands: string[] = [];
  first.databases.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (command[commandName] === 'lanes') commands.push(commandName);
  });
  const stored = () => harness.database().collection<Lane>('lanes');
  return {
    ...{ own: own!, other: other!, proxy, commands, stored },
    lanes: async () => (await stored().find().sort({ _id: 1 }).toArray()).map(({ w, ...lane }) => lane),
    reasonOf: (error) => first.idempotency.explain(error)?.reason ?? error,
    async reset() {
      proxy.disturb({});
      const ping = () => first.databases.connection.db!.command({ ping: 1 });
      // A disturbance ends connections: on a busy machine the next one takes longer than a request waits for one.
      await until(() => ping().catch(() => null), 'the replica is connected again');
      await stored().deleteMany({});
      await stored().insertMany(IDS.map(aLane));
      commands.length = 0;
    },
    async stop() {
      proxy.disturb({});
      for (const replica of replicas) await replica.stop();
      await proxy.close();
      await harness.stop();
    },
  };
}
