import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  createBooking,
  getBooking,
  type InputOf,
  listBookings,
  type Operation,
  reservePayment,
  settlePayment,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import {
  aPrincipal,
  type Caller,
  freePort,
  type Parts,
  type ServiceProcess,
  startParts,
  startProcess,
  until,
} from '@swim/testing';
import { Hearing, type StoredBooking, times, type WantedBooking } from './booking-world.js';
import { PeopleStandIn } from './people-stand-in.js';

const MOST_WRITES = 25;
// Short, so that what a dead process held comes free soon.
const LEASES = { SAGA_LEASE_MS: '700', IDEMPOTENCY_LEASE_MS: '400', CLAIM_LEASE_MS: '400' };
const BOOKING = new URL('crashing-main.mjs', import.meta.url);
const SCHEDULING = new URL('../../scheduling/test/crashing-main.mjs', import.meta.url);

const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
let parts: Parts;
let people: PeopleStandIn;
let hearing: Hearing;
let processes: Record<'booking' | 'scheduling', ServiceProcess>;

const environment = async () => ({
  ...parts.env,
  ...LEASES,
  MONGODB_URI: `${parts.env.MONGODB_URI}&monitorCommands=true`,
  HEALTH_PORT: String(await freePort()),
});

const start = async (service: 'booking' | 'scheduling') =>
  startProcess(service === 'booking' ? BOOKING : SCHEDULING, await environment());

beforeAll(async () => {
  parts = await startParts();
  people = new PeopleStandIn(parts);
  hearing = new Hearing(parts);
  await parts.connection.flush();
  processes = { scheduling: await start('scheduling'), booking: await start('booking') };
}, 60_000);
afterAll(async () => {
  for (const process of Object.values(processes ?? {})) await process.kill('SIGTERM');
  await parts?.stop();
});

const bookings = () => parts.database('booking_test').collection<StoredBooking>('bookings');
const storedFor = ({ member_ids }: WantedBooking) => bookings().find({ memberIds: member_ids[0]! }).toArray();
const sessionsFor = ({ member_ids }: WantedBooking) =>
  parts
    .database('scheduling_test')
    .collection<{ _id: string; status: string }>('sessions')
    .find({ memberId: member_ids[0]! })
    .toArray();

const aWish = (policies: { requirePrepayment?: boolean } = {}): WantedBooking => ({
  instructor_id: people.anInstructor(school.accountId, {}, policies),
  member_ids: [people.aMember(family.accountId)],
  sessions: times(5, 6),
});

const keyed = (): Caller => ({ principal: family, idempotencyKey: newId('req') });

const PASSING = new Set<string>(['idempotency_in_progress', 'change_in_progress']);

/** Calls until there is an answer: as a client does that tries again under one key. */
async function insist<O extends Operation>(operation: O, input: InputOf<O>, caller: Caller) {
  for (;;) {
    try {
      return await parts.call(operation, input, { budgetMs: 2_000, ...caller });
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'SERVER_ERROR' && !PASSING.has(error.reason))) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Whether nothing of a wish is left to be written. */
async function isQuiet(wanted: WantedBooking): Promise<boolean> {
  const [stored] = await storedFor(wanted);
  const running = await parts.database('booking_test').collection('idempotency').countDocuments({ state: 'running' });
  return (
    stored !== undefined && stored.status !== 'claiming' && (stored.outbox as unknown[]).length === 0 && running === 0
  );
}

/** Whether nothing of any booking is left to be written, so that no write of an earlier story counts for the next. */
async function isAllQuiet(): Promise<boolean> {
  const open = await bookings().countDocuments({ $or: [{ status: 'claiming' }, { relayAt: { $exists: true } }] });
  const unsent = await parts
    .database('scheduling_test')
    .collection('sessions')
    .countDocuments({ relayAt: { $exists: true } });
  return open + unsent === 0;
}

/** Has a process die after its nth write during `work`, and starts it again. False when it outlived the work. */
async function dieAt(
  service: 'booking' | 'scheduling',
  n: number,
  work: () => Promise<unknown>,
  isOver: () => Promise<boolean>,
) {
  await until(isAllQuiet, 'nothing is left of earlier stories');
  await processes[service].crashAfterWrites(n);
  const first = work().catch(() => null);
  await Promise.race([processes[service].exit(), first]);
  await until(async () => processes[service].ended || (await isOver()), 'it is dead or done');
  const disarmed = () =>
    processes[service].crashAfterWrites(0).then(
      () => true,
      () => false,
    );
  const died = processes[service].ended || !(await disarmed());
  if (died) processes[service] = await start(service);
  // What is asked again until it is answered must not reach into the next story.
  await first;
  return died;
}

/** Tells a story of a death after the first write, the second, and so on, until one outlives it; how many there were. */
async function crashEverywhere(story: (n: number) => Promise<boolean>): Promise<number> {
  for (let n = 1; n <= MOST_WRITES; n++) {
    if (!(await story(n))) return n - 1;
  }
  throw new Error(`It still dies after ${MOST_WRITES} writes.`);
}

const typesOf = async (count: number, id: string) =>
  (await hearing.atLeast(count, id)).map(({ type, n }) => `${n} ${type}`);

async function expectWhole(wanted: WantedBooking, booking: Booking): Promise<void> {
  const { items } = await parts.call(listBookings, { member_id: wanted.member_ids[0]! }, { principal: family });
  expect(items).toEqual([booking]);
  expect(booking).toMatchObject({ status: 'confirmed', amount_cents: 10_000, version: 1 });
  expect((await sessionsFor(wanted)).map(({ _id }) => _id).sort()).toEqual([...booking.session_ids].sort());
  expect(await typesOf(2, booking.id)).toEqual(['1 booking.created', '2 booking.confirmed']);
}

const isTerminal = async (wanted: WantedBooking) => {
  const [stored, ...others] = await storedFor(wanted);
  expect(others).toEqual([]);
  return stored && stored.status !== 'claiming' ? stored : null;
};

describe('the booking process dies after any single write', () => {
  it('of a new booking: the same key makes one booking, told once', async () => {
    const writes = await crashEverywhere(async (n) => {
      const [wanted, caller] = [aWish(), keyed()];
      const work = () => insist(createBooking, wanted, caller);
      const died = await dieAt('booking', n, work, () => isQuiet(wanted));
      await expectWhole(wanted, await insist(createBooking, wanted, caller));
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  }, 420_000);

  it('of a new booking whose client never comes back: it ends whole, or nothing is left of it', async () => {
    const outcomes: unknown[] = [];
    await crashEverywhere(async (n) => {
      let wanted = aWish();
      // One that a busy machine let run out before it was stored is nobody's booking: another is made.
      const work = async () => {
        do {
          wanted = aWish();
          await parts.call(createBooking, wanted, { principal: family, budgetMs: 1_500 }).catch(() => null);
        } while (!processes.booking.ended && (await storedFor(wanted)).length === 0);
      };
      const died = await dieAt('booking', n, work, () => isQuiet(wanted));
      const ended = await until(() => isTerminal(wanted), 'the booking is terminal');
      outcomes.push(ended.status);
      if (ended.status === 'failed') expect(await sessionsFor(wanted)).toEqual([]);
      else await expectWhole(wanted, await parts.call(getBooking, { booking_id: ended._id }, { principal: family }));
      return died;
    });
    const [first, ...later] = outcomes;
    expect(first).toBe('failed');
    expect(later.length).toBeGreaterThanOrEqual(3);
    // On a busy machine the recoverer may ask before the claim is taken: then nothing is left of the booking.
    expect(later).toContain('confirmed');
    expect(later.every((state) => state === 'confirmed' || state === 'failed')).toBe(true);
  }, 420_000);

  it('of a refused booking: the same key is refused the same way, and nothing remains', async () => {
    const taken = aWish();
    await insist(createBooking, taken, keyed());
    const writes = await crashEverywhere(async (n) => {
      const [wanted, caller] = [{ ...aWish(), instructor_id: taken.instructor_id }, keyed()];
      const work = () => insist(createBooking, wanted, caller);
      const died = await dieAt('booking', n, work, () => isQuiet(wanted));
      const refusal = await insist(createBooking, wanted, caller).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'CONFLICT', details: { reason: 'conflicting_dates' } });
      expect(await until(() => isTerminal(wanted), 'it is terminal')).toMatchObject({ status: 'failed', readers: [] });
      expect(await sessionsFor(wanted)).toEqual([]);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  }, 420_000);

  it('of a payment: the money is set aside once and counted once', async () => {
    const writes = await crashEverywhere(async (n) => {
      const booking = await insist(createBooking, aWish(), keyed());
      const paymentId = newId('pay');
      const wish = { bookingId: booking.id, paymentId, amountCents: 10_000, currency: 'USD', dryRun: false };
      const outcome = { bookingId: booking.id, paymentId, outcome: 'succeeded' as const };
      const pay = async (caller: Caller) => {
        await insist(reservePayment, wish, caller);
        await insist(settlePayment, outcome, caller);
      };
      const isPaid = async () => (await bookings().findOne({ _id: booking.id }))?.version === 2;
      const died = await dieAt('booking', n, () => pay({ principal: family, budgetMs: 400 }), isPaid);
      await pay({ principal: family });
      const paid = await parts.call(getBooking, { booking_id: booking.id }, { principal: family });
      expect(paid).toMatchObject({ payment_status: 'paid', amount_paid_cents: 10_000, version: 2 });
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(2);
  }, 420_000);

  it('of an expiry: the booking expires once and its sessions are given back', async () => {
    const writes = await crashEverywhere(async (n) => {
      const wanted = aWish({ requirePrepayment: true });
      const booking = await insist(createBooking, wanted, keyed());
      const isOver = async () => (await storedFor(wanted))[0]?.status === 'expired' && isQuiet(wanted);
      const lapse = async () => {
        await bookings().updateOne({ _id: booking.id }, { $set: { nextAt: new Date(0) } });
        await until(isOver, 'it has expired');
      };
      const died = await dieAt('booking', n, lapse, isOver);
      await until(isOver, 'it has expired');
      expect((await sessionsFor(wanted)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
      expect(await typesOf(2, booking.id)).toEqual(['1 booking.created', '2 booking.expired']);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  }, 420_000);
});

describe('the scheduling process dies after any single write', () => {
  it('of a new booking: the same key makes one booking, told once', async () => {
    const writes = await crashEverywhere(async (n) => {
      const [wanted, caller] = [aWish(), keyed()];
      const isOver = async () => (await isQuiet(wanted)) && (await sessionsFor(wanted)).length === 2;
      const work = () => insist(createBooking, wanted, caller);
      const died = await dieAt('scheduling', n, work, isOver);
      await expectWhole(wanted, await insist(createBooking, wanted, caller));
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  }, 420_000);
});

describe('two booking processes', () => {
  it('finish what an outage of scheduling left, each booking once', async () => {
    const second = await start('booking');
    await processes.scheduling.kill();
    const wishes = Array.from({ length: 8 }, () => aWish());
    const callers = wishes.map(() => keyed());
    await Promise.all(wishes.map((wanted, i) => insistBriefly(wanted, callers[i]!)));
    processes.scheduling = await start('scheduling');
    for (const wanted of wishes) await until(() => isTerminal(wanted), 'the booking is terminal', 60_000);
    await Promise.all(
      wishes.map(async (wanted, i) => expectWhole(wanted, await insist(createBooking, wanted, callers[i]!))),
    );
    await second.kill('SIGTERM');
  }, 420_000);
});

/** Asks in vain, until the booking is stored all the same. */
const insistBriefly = (wanted: WantedBooking, caller: Caller) =>
  until(async () => {
    await parts.call(createBooking, wanted, { ...caller, budgetMs: 500 }).catch(() => null);
    return (await storedFor(wanted)).length > 0;
  }, 'the booking is stored');
