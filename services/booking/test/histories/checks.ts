import { expect } from '@jest/globals';
import { createPayment, getBooking } from '@swim/contracts';
import type { Audit } from '../../src/audit/audit.service.js';
import type { Difference } from '../../src/audit/audited-money.rules.js';
import type { History } from './history.js';

interface StoredPayment {
  _id: string;
  bookingId: string;
  status: string;
  amountCents: number;
  refundedCents: number;
  eventCount: number;
}

interface Charge {
  _id: string;
  state: string;
  amountCents: number;
  refunds?: { amountCents: number; state: string }[];
}

interface StoredSession {
  _id: string;
  status: string;
  attendance: string;
  priceCents: number;
  version: number;
}

interface StoredBooking {
  _id: string;
  status: string;
  eventCount: number;
  sessions: { id: string; status: string; attendance: string; priceCents: number; version: number }[];
}

const CHARGED = ['succeeded', 'partially_refunded', 'refunded'];
const ENDED = ['cancelled', 'expired'];

/** Expects of a history that has come to rest that no money was lost or made, and that all agree on what happened. */
export async function expectWhole(history: History, audit: Audit): Promise<void> {
  const ids = history.bookings.map(({ id }) => id);
  const differences: Difference[] = [];
  await audit.runOn('test', ids, (difference) => differences.push(difference));
  expect(differences).toEqual([]);
  await expectProcessorAgrees(history, ids);
  for (const id of ids) await expectBookingWhole(history, id);
  await expectPromisesKept(history);
}

/** What the processor took and gave back is what payments say: also of a payment that no booking has. */
async function expectProcessorAgrees({ services }: History, bookingIds: string[]): Promise<void> {
  const payments = await services
    .stored<StoredPayment>('payment', 'payments')
    .find({ bookingId: { $in: bookingIds } })
    .toArray();
  const charges = services.stored<Charge>('payment', 'processor_charges');
  for (const { _id, status, amountCents, refundedCents, eventCount } of payments) {
    const charge = await charges.findOne({ _id });
    const takenCents = charge?.state === 'succeeded' ? charge.amountCents : 0;
    expect({ _id, takenCents }).toEqual({ _id, takenCents: CHARGED.includes(status) ? amountCents : 0 });
    const back = (charge?.refunds ?? []).filter(({ state }) => state === 'succeeded');
    expect({ _id, backCents: back.reduce((sum, each) => sum + each.amountCents, 0) }).toEqual({
      _id,
      backCents: refundedCents,
    });
    expectEachEventOnce(services.eventsOf(_id), eventCount);
  }
}

const expectEachEventOnce = (events: { id: string; n: number }[], count: number): void => {
  const known = new Map(events.map(({ id, n }) => [id, n]));
  expect([...known.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
};

/** A booking has the newest state of each of its sessions, and the status that follows. */
async function expectBookingWhole({ services, family }: History, id: string): Promise<void> {
  const stored = (await services.stored<StoredBooking>('booking', 'bookings').findOne({ _id: id }))!;
  const found = await services
    .stored<StoredSession>('scheduling', 'sessions')
    .find({ bookingId: id } as object)
    .toArray();
  const known = stored.sessions.map(({ id: _id, status, attendance, priceCents, version }) => ({
    _id,
    status,
    attendance,
    priceCents,
    version,
  }));
  const newest = found.map(({ _id, status, attendance, priceCents, version }) => ({
    _id,
    status,
    attendance,
    priceCents,
    version,
  }));
  const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1);
  expect(known.sort(byId)).toEqual(newest.sort(byId));
  const open = newest.filter(({ status }) => status === 'scheduled').length;
  const given = newest.filter(({ status }) => status === 'completed').length;
  if (open + given === 0) expect(ENDED).toContain(stored.status);
  else if (ENDED.includes(stored.status)) expect(stored.status).toBe('cancelled');
  if (stored.status === 'completed') expect(open).toBe(0);
  if (stored.status === 'confirmed') expect(open).toBeGreaterThan(0);
  expectEachEventOnce(services.eventsOf(id), stored.eventCount);
  const seen = await services.harness.call(getBooking, { booking_id: id }, { principal: family });
  expect(seen.amount_due_cents).toBeGreaterThanOrEqual(0);
}

/** What a client was answered stays: a payment that had succeeded is charged. */
async function expectPromisesKept({ services, promised }: History): Promise<void> {
  for (const { operation, answer } of promised) {
    if (operation !== createPayment.name) continue;
    const payment = await services.stored<StoredPayment>('payment', 'payments').findOne({ _id: answer.id as string });
    const isCharged = CHARGED.includes(payment?.status ?? 'lost');
    expect([answer.id, answer.status === 'succeeded' ? isCharged : payment !== null]).toEqual([answer.id, true]);
  }
}
