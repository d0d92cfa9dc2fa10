import { MongoClient } from 'mongodb';
import { SERVICES } from '../../deploy/local/product-processes.ts';

// Of each service; the keys of members have databases of their own.
const DATABASES = ['live', 'test', 'keys_live', 'keys_test'];
const COPIED = ['instructors', 'members', 'accounts'];
const WRITTEN = {
  booking: ['bookings', 'published'],
  scheduling: ['claims', 'days', 'sessions'],
  people: ['lessons'],
  notification: ['events'],
};
const NO_SUCH_COLLECTION = 26;
const DUPLICATE = 11_000;
const EVENTS_OF_BOOKING = ['session.created', 'booking.created', 'booking.confirmed'];

/** Reads the databases of the stack directly, and prepares the one of the floor. */
export class BenchDatabase {
  #client;
  #prefix;

  /** @param {Record<string, string>} env of the stack: MONGODB_URI and DATABASE_PREFIX. */
  constructor({ MONGODB_URI, DATABASE_PREFIX }) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
  }

  /** @returns {string} name of the database that the floor uses. */
  get floorName() {
    return `${this.#prefix}_floor`;
  }

  /** Gives the floor the same people as the stack has, and the same indexes on whatever it writes. Can be repeated. */
  async prepareFloor() {
    for (const name of COPIED) {
      const documents = await this.#of('people', name).find().toArray();
      await this.#floor(name).insertMany(documents, { ordered: false }).catch(noneTwice);
      await this.#copyIndexes('people', name);
    }
    for (const [service, names] of Object.entries(WRITTEN)) {
      for (const name of names) await this.#copyIndexes(service, name);
    }
  }

  /** @returns {Promise<string[]>} ids of sessions that the stack has, at most `limit`. */
  findStackSessions(limit) {
    return idsOf(this.#of('scheduling', 'sessions'), limit);
  }

  /** @returns {Promise<string[]>} ids of sessions that the floor has, at most `limit`. */
  findFloorSessions(limit) {
    return idsOf(this.#floor('sessions'), limit);
  }

  /**
   * @param {string[]} ids of bookings.
   * @returns {Promise<number>} how many of them the stack has stored as confirmed.
   */
  async countConfirmed(ids) {
    const filter = { _id: { $in: ids }, status: 'confirmed' };
    return (
      await this.#of('booking', 'bookings')
        .find(filter, { projection: { _id: 1 } })
        .toArray()
    ).length;
  }

  /** @returns {Promise<boolean>} whether the background work of the bookings is done: outboxes empty, events stored. */
  async isStackQuiet() {
    const [bookings, sessions] = [this.#of('booking', 'bookings'), this.#of('scheduling', 'sessions')];
    if (await bookings.findOne({ status: 'claiming' })) return false;
    if (await this.#of('scheduling', 'claims').findOne({ dueAt: { $type: 'date' } })) return false;
    for (const each of [bookings, sessions]) if (await each.findOne({ relayAt: { $type: 'date' } })) return false;
    const expected = 2 * EVENTS_OF_BOOKING.length * (await bookings.countDocuments({ status: 'confirmed' }));
    const stored = await this.#of('notification', 'events').countDocuments({ type: { $in: EVENTS_OF_BOOKING } });
    return stored >= expected;
  }

  /** Removes the data of the measurement, and disconnects. */
  async removeAll() {
    const names = SERVICES.flatMap((service) => DATABASES.map((database) => `${this.#prefix}_${service}_${database}`));
    for (const name of [...names, this.floorName]) await this.#client.db(name).dropDatabase();
    await this.#client.close();
  }

  #of(service, name) {
    return this.#client.db(`${this.#prefix}_${service}_test`).collection(name);
  }

  #floor(name) {
    return this.#client.db(this.floorName).collection(name);
  }

  async #copyIndexes(service, name) {
    const indexes = await this.#of(service, name).indexes().catch(noneWithout);
    // Engines add fields of their own, which they do not accept as input.
    const expected = indexes.map(({ v, ns, storageEngine, ...index }) => index).filter(({ key }) => !isPrimary(key));
    if (expected.length > 0) await this.#floor(name).createIndexes(expected);
  }
}

/** Some people are there already where another measurement of the run had a floor. */
function noneTwice(error) {
  if (error.code !== DUPLICATE) throw error;
}

/** A collection without documents may not exist yet. */
function noneWithout(error) {
  if (error.code !== NO_SUCH_COLLECTION) throw error;
  return [];
}

const isPrimary = (key) => Object.keys(key).join() === '_id';

async function idsOf(collection, limit) {
  const found = await collection
    .find({}, { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}
