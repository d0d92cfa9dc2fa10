import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  AccountEvent,
  Booking,
  CancellationQuote,
  Hold,
  Instructor,
  Member,
  Payment,
  SandboxClock,
  Session,
  WaitlistEntry,
  WebhookDelivery,
  WebhookEndpoint,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { apiError, type Customer, expectStatus } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { advance, clockOf } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const after = (date: string, ms: number): string => new Date(Date.parse(date) + ms).toISOString();

journey('the clock of a test account', () => {
  /** A family and a school whose clocks no other test has advanced. */
  interface Household {
    family: Customer;
    school: Customer;
    member: Member;
    instructor: Instructor;
  }

  async function aHousehold(): Promise<Household> {
    const [family, school] = [await stack.open('family'), await stack.open('school')];
    return { family, school, member: await aMember(family), instructor: await anInstructor(school) };
  }

  const typesOf = (customer: Customer, id: string, count: number) =>
    until(async () => {
      const events = await customer.read<AccountEvent[]>(`/events?object_id=${id}&limit=100`);
      return events.length >= count ? events.map(({ type }) => type).toReversed() : null;
    }, `${count} events about ${id} are listed`);

  it('shows real time until it is advanced, and never moves back', async () => {
    const { family } = await aHousehold();
    const before = await clockOf(family);
    expect(before).toMatchObject({ offset_seconds: 0, advancing: false });
    const to = after(before.now, 10 * DAY_MS);
    const dryRun = await family.post<SandboxClock>('/sandbox/clock?dry_run=true', { advance_to: to });
    expect(dryRun).toMatchObject({ status: 200, data: { now: to }, meta: { dry_run: true } });
    expect(await clockOf(family)).toMatchObject({ offset_seconds: 0 });

    const advanced = await advance(family, to);
    expect(advanced.offset_seconds).toBeGreaterThan(9 * 86_400);
    expect(await family.post('/sandbox/clock', { advance_to: before.now })).toMatchObject(
      apiError(400, 'in_past', 'advance_to'),
    );
    expect(await family.post('/sandbox/clock', { advance_to: after(to, 366 * DAY_MS) })).toMatchObject(
      apiError(400, 'out_of_range', 'advance_to'),
    );
    expect(await family.post('/sandbox/clock', { advance_to: '2027-03-01T16:00:00' })).toMatchObject(
      apiError(400, 'offset_required', 'advance_to'),
    );
  });

  it('repeats the answer of an advance under the same Idempotency-Key', async () => {
    const { family } = await aHousehold();
    const body = { advance_to: after((await clockOf(family)).now, DAY_MS) };
    const key = { 'idempotency-key': `advance ${family.id}` };
    const first = expectStatus(200, await family.post<SandboxClock>('/sandbox/clock', body, key));
    const again = expectStatus(200, await family.post<SandboxClock>('/sandbox/clock', body, key));
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('needs accounts:write, and is not found by live keys', async () => {
    const { family } = await aHousehold();
    const reader = await stack.mint(family.id, { scopes: ['accounts:read'] });
    expect(await reader.get('/sandbox/clock')).toMatchObject(apiError(403, 'missing_scope'));
    const live = await stack.open('family', 'live');
    const to = { advance_to: after(new Date().toISOString(), DAY_MS) };
    expect(await live.get('/sandbox/clock')).toMatchObject(apiError(404, 'unknown_route'));
    expect(await live.post('/sandbox/clock', to)).toMatchObject(apiError(404, 'unknown_route'));
    expect(await live.delete('/sandbox/clock')).toMatchObject(apiError(404, 'unknown_route'));
  });

  describe('that is advanced over a booked lesson', () => {
    it('sends both reminders and completes lesson and booking', async () => {
      const { family, instructor, member } = await aHousehold();
      const booking = await aBooking(family, instructor, member);
      const [{ id, end_date }] = booking.sessions as [Booking['sessions'][number]];
      await advance(family, after(end_date, 16 * MINUTE_MS));
      expect(await family.read<Session>(`/sessions/${id}`)).toMatchObject({ status: 'completed' });
      expect(await typesOf(family, id, 4)).toEqual([
        'session.created',
        'session.reminder',
        'session.reminder',
        'session.completed',
      ]);
      await until(
        async () => (await family.read<Booking>(`/bookings/${booking.id}`)).status === 'completed',
        'the booking follows its session',
      );
    });

    it('makes a cancellation late, by the later clock of family and school', async () => {
      const { family, school, instructor, member } = await aHousehold();
      const session = await aSession(family, instructor, member);
      const quote = () => family.read<CancellationQuote>(`/sessions/${session.id}/cancellation-quote`);
      expect(await quote()).toMatchObject({ late: false });
      await advance(school, after(session.date, -12 * 60 * MINUTE_MS));
      expect(await quote()).toMatchObject({ late: true });
      expect(await clockOf(family)).toMatchObject({ offset_seconds: 0 });
    });

    it('lets the school complete it from its start on', async () => {
      const { family, school, instructor, member } = await aHousehold();
      const session = await aSession(family, instructor, member);
      expect(await school.post(`/sessions/${session.id}/complete`, {})).toMatchObject(apiError(409, 'not_started'));
      await advance(family, after(session.date, MINUTE_MS));
      expectStatus(200, await school.post(`/sessions/${session.id}/complete`, {}));
    });
  });

  it('that is advanced rejects times that it has passed, and offers none', async () => {
    const { family, instructor, member } = await aHousehold();
    const date = nextTime();
    const { now } = await advance(family, after(date, MINUTE_MS));
    expect(await family.post('/sessions', sessionBody(instructor, member, date))).toMatchObject(
      apiError(400, 'in_past', 'date'),
    );
    expect(await family.post('/bookings', bookingBody(instructor, [member], [date]))).toMatchObject(
      apiError(400, 'in_past', 'sessions.0.date'),
    );
    const { slots } = await family.read<{ slots: { start: string }[] }>(`/instructors/${instructor.id}/availability`);
    expect(slots.length).toBeGreaterThan(0);
    expect(slots.every(({ start }) => start > now)).toBe(true);
    // Ids, creation and events stay in real time.
    const session = await aSession(family, instructor, member, after(date, 2 * DAY_MS));
    expect(session.created_at < date).toBe(true);
  });

  it('that is advanced over a hold ends it, offers its time, and ends the offer', async () => {
    const { family, school, instructor, member } = await aHousehold();
    const okafor = await stack.open('family');
    const [ada, date] = [await aMember(okafor), nextTime()];
    const hold = await family.make<Hold>('/holds', bookingBody(instructor, [member], [date]));
    const entry = await okafor.make<WaitlistEntry>('/waitlist', {
      instructor_id: instructor.id,
      member_id: ada.id,
      date_from: after(date, -60 * MINUTE_MS),
      date_to: after(date, 120 * MINUTE_MS),
      duration_minutes: 60,
    });
    await advance(school, after(hold.expires_at, MINUTE_MS));
    expect(await family.read<Hold>(`/holds/${hold.id}`)).toMatchObject({
      status: 'expired',
      expires_at: hold.expires_at,
    });
    const offered = await okafor.read<WaitlistEntry>(`/waitlist/${entry.id}`);
    expect(offered).toMatchObject({ status: 'offered', offer: { date } });
    await advance(okafor, after(offered.offer!.expires_at, MINUTE_MS));
    expect(await okafor.read<WaitlistEntry>(`/waitlist/${entry.id}`)).toMatchObject({ status: 'expired' });
    await aBooking(family, instructor, member, date);
  });

  it('that is advanced at once over a hold and the offer of its time ends both', async () => {
    const { family, school, instructor, member } = await aHousehold();
    const date = nextTime();
    await family.make<Hold>('/holds', bookingBody(instructor, [member], [date]));
    const ada = await aMember(family);
    const entry = await family.make<WaitlistEntry>('/waitlist', {
      instructor_id: instructor.id,
      member_id: ada.id,
      date_from: after(date, -60 * MINUTE_MS),
      date_to: after(date, 120 * MINUTE_MS),
      duration_minutes: 60,
    });
    await advance(school, after((await clockOf(school)).now, 120 * MINUTE_MS));
    expect(await typesOf(family, entry.id, 3)).toEqual(['waitlist.joined', 'waitlist.offered', 'waitlist.expired']);
  });

  it('that is advanced over a prepayment expires the booking and cancels its lessons, without a reminder', async () => {
    const { family, school, instructor, member } = await aHousehold();
    await school.patch(`/accounts/${school.id}`, { policies: { require_prepayment: true } });
    const booking = await aBooking(family, instructor, member);
    expect(booking).toMatchObject({ status: 'pending', expires_at: expect.any(String) });
    await advance(family, after(booking.sessions[0]!.end_date, DAY_MS));
    expect(await family.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({
      status: 'expired',
      sessions: [{ status: 'cancelled' }],
    });
    expect(await typesOf(family, booking.session_ids[0]!, 2)).toEqual(['session.created', 'session.cancelled']);
  });

  it('that is advanced over a prepayment keeps a lesson due that has begun, and cancels the others', async () => {
    const { family, school, instructor, member } = await aHousehold();
    const policies = { require_prepayment: true, enforce_availability: false };
    expectStatus(200, await school.patch(`/accounts/${school.id}`, { policies }));
    const begins = after((await clockOf(family)).now, 10 * MINUTE_MS);
    const lessons = bookingBody(instructor, [member], [begins, nextTime()]);
    const booking = await family.make<Booking>('/bookings', lessons);
    await advance(family, after(booking.expires_at!, MINUTE_MS));
    expect(await family.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({
      status: 'pending',
      expires_at: null,
      amount_due_cents: 6_000,
      sessions: [{ status: 'scheduled' }, { status: 'cancelled' }],
    });
    await advance(family, after(begins, 120 * MINUTE_MS));
    const given = await until(async () => {
      const read = await family.read<Booking>(`/bookings/${booking.id}`);
      return read.status === 'completed' ? read : null;
    }, 'the booking is completed');
    expect(given.payment_status).toBe('unpaid');
    const due = { amount_cents: given.amount_due_cents };
    await family.make<Payment>('/payments', paymentBody(given, await aCard(family), due));
    expect(await family.read<Booking>(`/bookings/${booking.id}`)).toMatchObject({ payment_status: 'paid' });
    expect(await typesOf(family, booking.id, 2)).toEqual(['booking.created', 'booking.completed']);
  });

  describe('that is advanced over retries of a webhook', () => {
    let server: http.Server;
    let received = 0;
    beforeAll(async () => {
      server = http.createServer((request, response) => {
        request.resume();
        response.writeHead(++received < 4 ? 503 : 200).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    });

    it('makes each of them before it answers', async () => {
      const { family, member } = await aHousehold();
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const endpoint = await family.make<WebhookEndpoint>('/webhook-endpoints', { url, events: ['member.updated'] });
      await family.patch(`/members/${member.id}`, { name: 'Mia' });
      const deliveries = () => family.read<WebhookDelivery[]>(`/webhook-endpoints/${endpoint.id}/deliveries`);
      await until(async () => (await deliveries())[0]?.attempts.length === 1, 'the first try has failed');
      await advance(family, after((await clockOf(family)).now, MINUTE_MS));
      expect(received).toBe(2);
      expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: [{}, { status_code: 503 }] }]);
      await advance(family, after((await clockOf(family)).now, DAY_MS));
      expect(received).toBe(4);
      expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: [{}, {}, { status_code: 503 }, {}] }]);
    });
  });
});
