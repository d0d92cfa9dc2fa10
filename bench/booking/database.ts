import { type Collection, type IndexDescriptionInfo, MongoClient, type MongoServerError } from 'mongodb';
import { SERVICES } from '../../deploy/local/product-processes.ts';

// Of each service; the keys of members and the users of the dashboard have databases of their own.
const DATABASES = ['live', 'test', 'keys_live', 'keys_test', 'users'];
const COPIED = { people: ['instructors', 'members', 'accounts'], payment: ['wallets'] };
const WRITTEN = {
  booking: ['bookings', 'drafts', 'published'],
  scheduling: ['claims', 'days', 'sessions'],
  payment: ['payments', 'processor_charges', 'idempotency'],
  people: ['lessons'],
  notification: ['events', 'webhook_endpoints'],
};
const NO_SUCH_COLLECTION = 26;
const DUPLICATE = 11_000;
// What a sweep would read: with `$type` alone, the offline engine reads the whole collection.
const DUE = { $type: 'date', $lte: new Date('9999-12-31') } as const;

interface Stored {
  _id: string;
  [field: string]: unknown;
}

/** Reads the databases of the stack directly, and prepares the one of the floor. */
export class BenchDatabase {
  readonly #client: MongoClient;
  readonly #prefix: string;

  /** @param env - of the stack: MONGODB_URI and DATABASE_PREFIX. */
  constructor({ MONGODB_URI = '', DATABASE_PREFIX = '' }: Record<string, string>) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
  }

  /** @returns name of the database that the floor uses. */
  get floorName(): string {
    return `${this.#prefix}_floor`;
  }

  /** Gives the floor the same people as the stack has, and the same indexes on whatever it writes. Can be repeated. */
  async prepareFloor() {
    for (const [service, names] of Object.entries(COPIED)) {
      for (const name of names) {
        const documents = await this.#of(service, name).find().toArray();
        await this.#floor(name).insertMany(documents, { ordered: false }).catch(noneTwice);
        await this.#copyIndexes(service, name);
      }
    }
    for (const [service, names] of Object.entries(WRITTEN)) {
      for (const name of names) await this.#copyIndexes(service, name);
    }
  }

  /** @returns ids of sessions that the stack has, at most `limit`. */
  findStackSessions(limit: number): Promise<string[]> {
    return idsOf(this.#of('scheduling', 'sessions'), limit);
  }

  /** @returns ids of sessions that the floor has, at most `limit`. */
  findFloorSessions(limit: number): Promise<string[]> {
    return idsOf(this.#floor('sessions'), limit);
  }

  /**
   * @param ids - of bookings.
   * @returns how many of them the stack has stored as confirmed.
   */
  async countConfirmed(ids: string[]): Promise<number> {
    const filter = { _id: { $in: ids }, status: 'confirmed' };
    return (
      await this.#of('booking', 'bookings')
        .find(filter, { projection: { _id: 1 } })
        .toArray()
    ).length;
  }

  /**
   * Reads by indexes only, since what it costs counts as the stack's.
   * @returns whether the services have published all events, and finished what their sweeps would finish.
   */
  async isSettled(): Promise<boolean> {
    const [bookings, sessions] = [this.#of('booking', 'bookings'), this.#of('scheduling', 'sessions')];
    if (await this.#of('booking', 'drafts').findOne({ nextAt: DUE })) return false;
    // The fence of a superseded attempt has no time: it is due after a day, to be removed.
    if (await this.#of('scheduling', 'claims').findOne({ dueAt: DUE, 'elements.0': { $exists: true } })) return false;
    for (const each of [bookings, sessions, this.#of('payment', 'payments')])
      if (await each.findOne({ relayAt: DUE })) return false;
    return (await this.#of('notification', 'waiting_events').findOne({})) === null;
  }

  /** Removes the data of the measurement, and disconnects. */
  async removeAll() {
    const names = SERVICES.flatMap((service) => DATABASES.map((database) => `${this.#prefix}_${service}_${database}`));
    for (const name of [...names, this.floorName]) await this.#client.db(name).dropDatabase();
    await this.#client.close();
  }

  #of(service: string, name: string) {
    return this.#client.db(`${this.#prefix}_${service}_test`).collection<Stored>(name);
  }

  #floor(name: string) {
    return this.#client.db(this.floorName).collection<Stored>(name);
  }

  async #copyIndexes(service: string, name: string) {
    const indexes = await this.#of(service, name).indexes().catch(noneWithout);
    // Engines add fields of their own, which they do not accept as input.
    const expected = indexes.map(({ v, ns, storageEngine, ...index }) => index).filter(({ key }) => !isPrimary(key));
    if (expected.length > 0) await this.#floor(name).createIndexes(expected);
  }
}

/** Some people are there already where another measurement of the run had a floor. */
function noneTwice(error: MongoServerError) {
  if (error.code !== DUPLICATE) throw error;
}

/** A collection without documents may not exist yet. */
function noneWithout(error: MongoServerError): IndexDescriptionInfo[] {
  if (error.code !== NO_SUCH_COLLECTION) throw error;
  return [];
}

const isPrimary = (key: object) => Object.keys(key).join() === '_id';

async function idsOf(collection: Collection<Stored>, limit: number) {
  const found = await collection
    .find({}, { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}
