import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelBooking, settleRefund } from '@swim/contracts';
import { newId } from '@swim/platform';
import { freePort, until } from '@swim/testing';
import type { Difference } from '../src/audit/audited-money.rules.js';
import { type BookingFixture, startFixture, times } from './harness.js';
import { moneyIn } from './money.js';

const PROGRAM = fileURLToPath(new URL('../dist/audit.js', import.meta.url));
const SETTLED = { AUDIT_SETTLED_SECONDS: '120' };
const LONG_AGO = new Date(Date.now() - 3_600_000);

type Stored = Record<string, unknown> & { _id: string };

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const { create, pay, refundsOf } = moneyIn(() => fixture);
const collectionOf = (name: string) =>
  fixture.harness
    .database(name === 'bookings' || name === 'credits' ? 'booking_test' : 'payment_test')
    .collection<Stored>(name);
const ALL = ['bookings', 'credits', 'payments', 'refunds'];
const environment = () => ({ ...process.env, ...fixture.harness.env, NODE_OPTIONS: '', ...SETTLED });

interface Audited {
  code: number;
  differences: Difference[];
  results: object[];
}

const run = (env: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [PROGRAM], { env }).then(
    (printed) => ({ ...printed, code: 0 }),
    (error) => error,
  );

/** Runs one audit; returns its exit code and its lines. */
async function audit(): Promise<Audited> {
  const { code, stdout } = await run(environment());
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, differences: lines.filter(({ kind }) => kind), results: lines.filter(({ kind }) => !kind) };
}

const age = () => Promise.all(ALL.map((name) => collectionOf(name).updateMany({}, { $set: { updatedAt: LONG_AGO } })));

/** What payment stores of a charge; its own service is not running here. */
async function storePayment(bookingId: string, id: string, changes: Partial<Stored> = {}): Promise<void> {
  const stored = { bookingId, status: 'succeeded', amountCents: 5_000, refundedCents: 0, currency: 'USD' };
  await collectionOf('payments').insertOne({ _id: id, ...stored, ...changes, updatedAt: LONG_AGO });
}

/** A booking of 5000 cents that is paid, as booking and payment store it. */
async function aPaidBooking(changes = {}): Promise<{ id: string; paymentId: string; sessionId: string }> {
  const booking = await create(changes);
  const paymentId = await pay(booking);
  await storePayment(booking.id, paymentId);
  return { id: booking.id, paymentId, sessionId: booking.session_ids[0]! };
}

const cancel = (id: string, refund_as: 'credit' | 'payment_method' = 'payment_method') =>
  fixture.harness.call(cancelBooking, { booking_id: id, refund_as }, { principal: fixture.family });

/** A booking that was paid and cancelled, whose refund is made. */
async function aRefundedBooking() {
  const paid = await aPaidBooking({ sessions: times(3) });
  await cancel(paid.id);
  const { refundId } = await until(() => refundsOf(paid as never)[0], 'the refund is requested');
  const refund = { paymentId: paid.paymentId, amountCents: 5_000, status: 'succeeded', step: 'done', refusal: null };
  await collectionOf('refunds').insertOne({ _id: refundId, ...refund, updatedAt: LONG_AGO });
  const counted = { status: 'refunded', refundedCents: 5_000, refundIds: [refundId] };
  await collectionOf('payments').updateOne({ _id: paid.paymentId }, { $set: counted });
  const settlement = { bookingId: paid.id, refundId, outcome: 'succeeded' } as const;
  await fixture.harness.call(settleRefund, settlement, { principal: fixture.family });
  return { ...paid, refundId };
}

/** A booking that was paid and cancelled for a makeup credit, and one that spends half of it. */
async function someCredit() {
  const paid = await aPaidBooking({ sessions: times(4) });
  await cancel(paid.id, 'credit');
  const credit = await until(
    async () => (await collectionOf('credits').find({ sessionId: paid.sessionId }).toArray())[0],
    'the credit is made',
  );
  const half = [{ ...times(5)[0]!, duration_minutes: 30 }];
  const spending = await create({ sessions: half, makeup_credit_id: credit._id });
  const isSettled = async () => (await fixture.stored(spending.id))?.creditSettledCents === 2_500;
  await until(isSettled, 'the credit records what is spent');
  return { ...paid, creditId: credit._id, spendingId: spending.id };
}

const change = (name: string, id: string, update: object) => collectionOf(name).updateOne({ _id: id }, update);
const onBooking = (id: string, update: object) => change('bookings', id, update);

/** Faults that are planted: what an audit says of each. */
const FAULTS: [Difference['kind'], () => Promise<Partial<Difference>>][] = [
  [
    'charge_differs',
    async () => {
      const { id, paymentId } = await aPaidBooking();
      await change('payments', paymentId, { $set: { amountCents: 4_999 } });
      return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_999 };
    },
  ],
  [
    'charge_differs',
    async () => {
      const { id } = await create();
      const paymentId = newId('pay');
      await storePayment(id, paymentId);
      return { bookingId: id, paymentId, ledgerCents: 0, otherCents: 5_000 };
    },
  ],
  [
    'charge_differs',
    async () => {
      const { id, paymentId } = await aPaidBooking();
      await collectionOf('payments').deleteOne({ _id: paymentId });
      return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 0 };
    },
  ],
  [
    'charged_twice',
    async () => {
      const { id, paymentId } = await aPaidBooking({ sessions: times(6, 7) });
      const again = { kind: 'charge', amountCents: 5_000, at: LONG_AGO.toISOString(), of: paymentId };
      await onBooking(id, { $push: { movements: again } });
      return { bookingId: id, paymentId, ledgerCents: 10_000, otherCents: 5_000 };
    },
  ],
  [
    'currency_differs',
    async () => {
      const { id, paymentId } = await aPaidBooking();
      await change('payments', paymentId, { $set: { currency: 'EUR' } });
      return { bookingId: id, paymentId };
    },
  ],
  [
    'reservation_left',
    async () => {
      const { id } = await create();
      const paymentId = newId('pay');
      const entry = { id: paymentId, amountCents: 5_000, dueCents: 5_000, state: 'reserved' };
      await onBooking(id, { $push: { payments: entry } });
      await storePayment(id, paymentId, { status: 'failed' });
      return { bookingId: id, paymentId, ledgerCents: 5_000 };
    },
  ],
  [
    'refund_differs',
    async () => {
      const { id, refundId } = await aRefundedBooking();
      await collectionOf('refunds').updateOne({ _id: refundId }, { $set: { refusal: '{}' } });
      await collectionOf('payments').updateOne({ refundIds: refundId }, { $set: { refundedCents: 0, refundIds: [] } });
      return { bookingId: id, refundId, ledgerCents: 5_000, otherCents: 0 };
    },
  ],
  [
    'refund_differs',
    async () => {
      const { id, paymentId } = await aPaidBooking();
      const [refundId, amountCents] = [newId('rfd'), 500];
      const refund = { paymentId, amountCents, status: 'succeeded', step: 'done', refusal: null };
      await collectionOf('refunds').insertOne({ _id: refundId, ...refund, updatedAt: LONG_AGO });
      await change('payments', paymentId, { $set: { refundedCents: amountCents, refundIds: [refundId] } });
      return { bookingId: id, refundId, ledgerCents: 0, otherCents: 500 };
    },
  ],
  [
    'refund_not_settled',
    async () => {
      const { id, refundId } = await aRefundedBooking();
      await onBooking(id, { $set: { 'refunds.0.state': 'accepted' } });
      return { bookingId: id, refundId };
    },
  ],
  [
    'refunded_differs',
    async () => {
      const { id, paymentId } = await aRefundedBooking();
      await change('payments', paymentId, { $set: { refundedCents: 4_000 } });
      return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_000 };
    },
  ],
  [
    'refunded_beyond_charge',
    async () => {
      const { id, paymentId } = await aRefundedBooking();
      await change('payments', paymentId, { $set: { amountCents: 4_000 } });
      await onBooking(id, { $set: { 'movements.0.amountCents': 4_000 } });
      return { bookingId: id, paymentId, ledgerCents: 5_000, otherCents: 4_000 };
    },
  ],
  [
    'fee_differs',
    async () => {
      const { id, sessionId } = await aRefundedBooking();
      await onBooking(id, { $set: { 'sessions.0.feeCents': 1_000, amountCents: 1_000 } });
      return { bookingId: id, sessionId, ledgerCents: 0, otherCents: 1_000 };
    },
  ],
  [
    'amount_differs',
    async () => {
      const { id } = await create();
      await onBooking(id, { $set: { amountCents: 6_000 } });
      return { bookingId: id, ledgerCents: 6_000, otherCents: 5_000 };
    },
  ],
  [
    'money_beyond_amount',
    async () => {
      const { id } = await aPaidBooking();
      await onBooking(id, { $set: { 'sessions.0.priceCents': 4_000, amountCents: 4_000 } });
      return { bookingId: id, ledgerCents: 5_000, otherCents: 4_000 };
    },
  ],
  [
    'money_on_ended_booking',
    async () => {
      const { id } = await aPaidBooking();
      await onBooking(id, { $set: { status: 'cancelled', 'sessions.0.status': 'cancelled', amountCents: 0 } });
      return { bookingId: id, ledgerCents: 5_000, otherCents: 0 };
    },
  ],
  [
    'credit_spend_differs',
    async () => {
      const { spendingId, creditId } = await someCredit();
      await change('credits', creditId, { $set: { 'spends.0.amountCents': 2_000, leftCents: 3_000 } });
      return { bookingId: spendingId, creditId, ledgerCents: 2_500, otherCents: 2_000 };
    },
  ],
  [
    'credit_differs',
    async () => {
      const { id, creditId } = await someCredit();
      await change('credits', creditId, { $set: { issuedCents: 6_000, leftCents: 3_500 } });
      return { bookingId: id, creditId, ledgerCents: 5_000, otherCents: 6_000 };
    },
  ],
  [
    'credit_left_differs',
    async () => {
      const { id, creditId } = await someCredit();
      await change('credits', creditId, { $set: { leftCents: 5_000 } });
      return { bookingId: id, creditId, ledgerCents: 2_500, otherCents: 5_000 };
    },
  ],
  [
    'payment_without_booking',
    async () => {
      const [id, paymentId] = [newId('bkg'), newId('pay')];
      await storePayment(id, paymentId);
      return { bookingId: id, paymentId, otherCents: 5_000 };
    },
  ],
];

describe('npm run audit', () => {
  it('finds nothing in what was booked, paid, refunded, and spent of credits, and exits with 0', async () => {
    await Promise.all([aPaidBooking(), aRefundedBooking(), someCredit(), create()]);
    await age();
    expect(await audit()).toEqual({
      code: 0,
      differences: [],
      results: [
        { env: 'live', bookings: 0, payments: 0, leftOut: 0, differences: 0 },
        { env: 'test', bookings: 5, payments: 3, leftOut: 0, differences: 0 },
      ],
    });
  });

  it('leaves out what has changed within two minutes', async () => {
    const { paymentId } = await aPaidBooking();
    await change('payments', paymentId, { $set: { amountCents: 1 } });
    await age();
    await change('payments', paymentId, { $set: { updatedAt: new Date() } });
    const { code, results } = await audit();
    expect([code, results[1]]).toEqual([0, expect.objectContaining({ leftOut: 2, differences: 0 })]);
    await collectionOf('payments').updateOne({ _id: paymentId }, { $set: { amountCents: 5_000 } });
  });

  it('exits with 2 when it cannot read', async () => {
    const env = { ...environment(), MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100' };
    const { code, stderr } = await run(env);
    expect(code).toBe(2);
    expect(stderr).toContain('The audit could not be completed');
  });
});

describe('an audit of a database with a fault', () => {
  const planted: Partial<Difference>[] = [];
  let found: Audited;
  beforeAll(async () => {
    for (const [, plant] of FAULTS) planted.push(await plant());
    await age();
    found = await audit();
  });

  it.each(FAULTS.map(([kind], index) => [kind, index] as const))('reports %s (%#)', (kind, index) => {
    const fault = planted[index]!;
    const own = found.differences.filter(({ bookingId }) => bookingId === fault.bookingId);
    expect(own).toContainEqual(expect.objectContaining({ env: 'test', kind, ...fault }));
  });

  it('exits with 1, and reports nothing else than the bookings with faults', () => {
    expect(found.code).toBe(1);
    const faulty = new Set(planted.map(({ bookingId }) => bookingId));
    expect(new Set(found.differences.map(({ bookingId }) => bookingId))).toEqual(faulty);
  });

  it('has ids, amounts and a sentence in each line', () => {
    const fields = ['env', 'kind', 'bookingId', 'paymentId', 'refundId', 'sessionId', 'creditId'];
    const allowed = new Set([...fields, 'ledgerCents', 'otherCents', 'meaning']);
    expect(found.differences.flatMap(Object.keys).filter((field) => !allowed.has(field))).toEqual([]);
  });

  it('is repeated with AUDIT_MINUTES, and shows its result and its time as metrics', async () => {
    const port = await freePort();
    const env = { ...environment(), AUDIT_MINUTES: '0.005', HEALTH_PORT: String(port), LOG_LEVEL: 'error' };
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    let printed = '';
    child.stdout.on('data', (bytes) => (printed += bytes));
    const metric = async (name: string) => {
      const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      return Number(new RegExp(`^${name}\\{env="test"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const completed = await until(() => metric('swim_audit_completed_timestamp_seconds'), 'an audit is completed');
    expect(await metric('swim_audit_differences')).toBe(found.differences.length);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    const isRepeated = async () => (await metric('swim_audit_completed_timestamp_seconds')) > completed;
    await until(isRepeated, 'another audit is completed');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(printed).toContain(planted[0]!.paymentId);
  });
});
