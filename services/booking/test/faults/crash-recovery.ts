import type { ServiceName } from '@swim/contracts';
import { type TestHarness, updateAll } from '@swim/testing';

const PAST = new Date(0);
const HOUR_MS = 3_600_000;

/** Documents with work left to do. */
const UNDER_WAY: [ServiceName, string, object][] = [
  ['booking', 'bookings', { $or: [{ cancelling: { $type: 'object' } }, { relayAt: { $type: 'date' } }] }],
  ['booking', 'drafts', { state: 'claiming' }],
  ['booking', 'bookings', { requestsAt: { $type: 'date' } }],
  ['booking', 'credits', { dueAt: { $type: 'date' } }],
  ['scheduling', 'sessions', { $or: [{ 'drop.0': { $exists: true } }, { relayAt: { $type: 'date' } }] }],
  ['scheduling', 'claims', { _id: { $not: /\// }, dueAt: { $type: 'date' } }],
];

/** What booking and scheduling have left to do, and how a test makes all of it due. */
export const recoveryOf = (harness: () => TestHarness) => {
  const stored = (service: ServiceName, name: string) => harness().database(`${service}_test`).collection(name);

  /** The document of a collection that matches, in words; empty when there is none. */
  async function find(service: ServiceName, name: string, filter: object): Promise<string[]> {
    const found = await stored(service, name).findOne(filter);
    if (!found) return [];
    const { _id, status, state, step, attempt, nextAt, relayAt } = found as Record<string, unknown>;
    return [`${service} ${name} ${String(_id)} ${JSON.stringify({ status, state, step, attempt, nextAt, relayAt })}`];
  }

  /** Documents of a service with work left to do that needs no client, one of each kind. */
  async function underWay(service: ServiceName): Promise<string[]> {
    const own = UNDER_WAY.filter(([of]) => of === service);
    return (await Promise.all(own.map(([of, name, filter]) => find(of, name, filter)))).flat();
  }

  /** Whether a service has no work left, so that no write of an earlier case counts for the next. */
  const isIdle = (service: ServiceName) => async () => {
    // Once its lease is over, only the client could have it resumed.
    const alive = { state: 'running', leaseUntil: { $gt: new Date() } };
    const running = service === 'booking' ? await find(service, 'idempotency', alive) : [];
    return running.length + (await underWay(service)).length === 0;
  };

  /** Ends every lease, and makes everything due for recovery. */
  async function lapse(): Promise<void> {
    const isDate = { $type: 'date' };
    const open = { $or: [{ status: 'pending' }, { cancelling: { $type: 'object' } }], nextAt: isDate };
    const overdue = { _id: { $not: /\// }, dueAt: isDate } as object;
    await updateAll(stored('booking', 'bookings'), open, { nextAt: PAST });
    await updateAll(stored('booking', 'drafts'), { nextAt: isDate }, { nextAt: PAST });
    await updateAll(stored('booking', 'bookings'), { requestsAt: isDate }, { requestsAt: PAST });
    await updateAll(stored('booking', 'credits'), { dueAt: isDate }, { dueAt: PAST });
    await updateAll(stored('scheduling', 'claims'), { state: 'taking' }, { until: PAST });
    for (const name of ['claims', 'sessions']) await updateAll(stored('scheduling', name), overdue, { dueAt: PAST });
    for (const service of ['booking', 'scheduling'] as const) {
      await updateAll(stored(service, 'idempotency'), { state: 'running' }, { leaseUntil: PAST });
      const published = stored(service, service === 'booking' ? 'bookings' : 'sessions');
      await updateAll(published, { relayAt: isDate }, { relayAt: PAST });
    }
  }

  /** Prolongs the lease of the first run of a member's booking; false when it has ended, or no booking is stored. */
  async function prolong(memberId: string): Promise<boolean> {
    const alive = { 'booking.memberIds': memberId, state: 'claiming', attempt: 1, nextAt: { $gt: new Date() } };
    const nextAt = new Date(Date.now() + HOUR_MS);
    return (await stored('booking', 'drafts').updateOne(alive, { $set: { nextAt } })).modifiedCount === 1;
  }

  /** The drafts of a member's bookings that may still be made. */
  const draftsFor = (memberId: string) => stored('booking', 'drafts').find({ 'booking.memberIds': memberId }).toArray();

  /** How the only request for a member has ended: the status of its booking, or `failed`; null while it is being made. */
  async function endOf(memberId: string): Promise<{ id: string; status: string } | null> {
    const bookings = await stored('booking', 'bookings').find({ memberIds: memberId }).toArray();
    if (bookings.length > 1) throw new Error('There are several bookings.');
    const [[booking], [draft]] = [bookings, await draftsFor(memberId)];
    if (booking) return draft?.state === 'claiming' ? null : { id: `${booking._id}`, status: booking.status };
    return draft?.state === 'failed' ? { id: `${draft._id}`, status: 'failed' } : null;
  }

  return { find, underWay, isIdle, lapse, prolong, draftsFor, endOf };
};
