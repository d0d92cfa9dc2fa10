import type { ServiceName } from '@swim/contracts';
import { type TestHarness, updateAll } from '@swim/testing';

const PAST = new Date(0);

/** Documents with work left to do. */
const UNDER_WAY: [ServiceName, string, object][] = [
  [
    'booking',
    'bookings',
    { $or: [{ status: 'claiming' }, { cancelling: { $type: 'object' } }, { relayAt: { $type: 'date' } }] },
  ],
  ['booking', 'bookings', { requestsAt: { $type: 'date' } }],
  ['booking', 'credits', { dueAt: { $type: 'date' } }],
  ['booking', 'idempotency', { state: 'running' }],
  ['scheduling', 'sessions', { $or: [{ 'drop.0': { $exists: true } }, { relayAt: { $type: 'date' } }] }],
  ['scheduling', 'claims', { _id: { $not: /\// }, dueAt: { $type: 'date' } }],
];

/** What booking and scheduling have left to do, and how a test makes all of it due. */
export const recoveryOf = (harness: () => TestHarness) => {
  const stored = (service: ServiceName, name: string) => harness().database(`${service}_test`).collection(name);

  /** Whether a service has no work left, so that no write of an earlier case counts for the next. */
  const isIdle = (service: ServiceName) => async () => {
    const own = UNDER_WAY.filter(([of]) => of === service);
    const found = await Promise.all(own.map(([of, name, filter]) => stored(of, name).findOne(filter)));
    return found.every((each) => each === null);
  };

  /** Ends every lease, and makes everything due for recovery. */
  async function lapse(): Promise<void> {
    const isDate = { $type: 'date' };
    const isOpen = [{ status: { $in: ['claiming', 'pending'] } }, { cancelling: { $type: 'object' } }];
    const open = { $or: isOpen, nextAt: isDate };
    const overdue = { _id: { $not: /\// }, dueAt: isDate } as object;
    await updateAll(stored('booking', 'bookings'), open, { nextAt: PAST });
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

  return { isIdle, lapse };
};
