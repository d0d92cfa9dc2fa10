import { beforeAll, expect, it } from '@jest/globals';
import type { Booking, DataImport, Family, Instructor, Member, Payment, Roster, Statement } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { Customer, expectStatus } from '../../fixtures/customer.js';
import { aCard, anInstructor, bookingBody } from '../../fixtures/fixtures.js';
import { advance } from '../../fixtures/sandbox-clock.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

const FAMILY = { external_id: 'F-1', name: 'Family Vogel', email: 'vogel@example.test' };
const ROWS = ['Emil', 'Nora'].map((name) => ({
  ...{ name, date_of_birth: '2018-02-11', medical_notes: 'Asthma', family: FAMILY },
}));
/** All lessons are on one day, so that the month is one, too. */
const at = (hour: number) => inDays(3, hour);

journey('a school from its first family to the end of the month', () => {
  let school: Customer;
  let family: Customer;
  let coach: Instructor;
  let [emil, nora]: Member[] = [];
  /** The booking of two lessons by the card on file, one for cash, and one whose payment is disputed. */
  let onFile: Booking;
  let inCash: Booking;
  let disputed: Booking;

  beforeAll(async () => {
    school = await stack.open('school');
    coach = await anInstructor(school, { availability_schedule: { weekly: [] } });
  });

  const now = (booking: Booking) => school.read<Booking>(`/bookings/${booking.id}`);
  const book = (member: Member, hours: number[], changes: object = {}) =>
    family.make<Booking>('/bookings', bookingBody(coach, [member], hours.map(at), changes));

  it('imports a family, which claims its account', async () => {
    const { id } = await school.make<DataImport>('/imports', { kind: 'families' });
    expectStatus(201, await school.post(`/imports/${id}/rows`, { rows: ROWS }));
    expectStatus(202, await school.post(`/imports/${id}/run`, {}));
    const isDone = async () => (await school.read<DataImport>(`/imports/${id}`)).status === 'done';
    await until(isDone, 'the import is done');
    const [{ account_id, claimed }] = (await school.read<Family[]>('/families')) as [Family];
    expect(claimed).toBe(false);
    const claim = await school.post<{ key: string }>(`/sandbox/families/${account_id}/claim`, {});
    family = new Customer(school.baseUrl, account_id, claim.data.key);
    [emil, nora] = (await school.readAll<Member>('/members')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  });

  it('is booked by the family, with its card on file for one booking', async () => {
    const { id: payment_method_id } = await aCard(family);
    [onFile, inCash, disputed] = [
      await book(nora!, [10, 12], { payment_method_id }),
      await book(emil!, [14]),
      await book(nora!, [16]),
    ];
    for (const booking of [onFile, inCash, disputed]) expect(booking.status).toBe('confirmed');
  });

  it('reads the roster of the day, and records who came', async () => {
    await advance(school, at(17));
    const roster = await school.read<Roster>(`/instructors/${coach.id}/roster?date=${at(10).slice(0, 10)}`);
    expect(roster.lessons.map(({ sessions }) => sessions[0]!.name)).toEqual(['Nora', 'Nora', 'Emil', 'Nora']);
    expect(roster.lessons[0]!.sessions).toMatchObject([{ medical_notes: 'Asthma', first_lesson_with_school: true }]);
    for (const [index, { id, sessions }] of roster.lessons.entries()) {
      const entries = [{ session_id: sessions[0]!.session_id, attendance: index === 1 ? 'no_show' : 'attended' }];
      const recorded = await school.post(`/lessons/${id}/attendance`, { entries });
      expect(recorded).toMatchObject({ status: 200, data: { entries: [{ status: 'recorded' }] } });
    }
    const owes = async () => (await school.read<Family[]>('/families?due=true'))[0]?.due?.[0]?.overdue_cents === 24_000;
    await until(owes, 'what the family owes is overdue, the lesson that was missed too');
  });

  it('collects by the card on file, in cash, and from a payment that is disputed afterwards', async () => {
    const paying = (booking: Booking, amount_cents: number, by: object = {}) => ({
      ...{ booking_id: booking.id, amount_cents, currency: 'USD' },
      ...by,
    });
    expect(await school.make<Payment>('/payments', paying(onFile, 12_000))).toMatchObject({ status: 'succeeded' });
    await school.make('/payments', paying(inCash, 6_000, { method: 'cash' }));
    const { id: payment_method_id } = await aCard(family, 'pm_card_dispute_lost');
    await family.make('/payments', paying(disputed, 6_000, { payment_method_id }));
    await until(async () => (await now(disputed)).amount_paid_cents === 0, 'the dispute is lost');
    expect((await now(disputed)).amount_due_cents).toBe(6_000);
    for (const booking of [onFile, inCash]) expect((await now(booking)).payment_status).toBe('paid');
  });

  it('closes the month with a statement of all that, in which an audit finds nothing', async () => {
    await advance(school, at(20));
    const month = at(10).slice(0, 7);
    const path = `/accounts/${school.id}/statement?month=${month}&currency=USD`;
    // A lesson that was missed is not given.
    const isClosed = async () => {
      const { totals } = await school.read<Statement>(path);
      return totals.refunded_cents === 6_000 && totals.lessons === 3 ? totals : null;
    };
    expect(await until(isClosed, 'the statement has all')).toMatchObject({
      ...{ charged_cents: 24_000, fees_cents: 6_000 },
      charged_by_method: { card: 18_000, cash: 6_000, transfer: 0, terminal: 0, voucher: 0 },
    });
    for (const booking of [onFile, inCash, disputed])
      await until(async () => (await now(booking)).status === 'completed', 'the booking is completed');
    const bookings = [onFile, inCash, disputed].map(({ id }) => id);
    await until(() => stack.isAuditClean(bookings), 'the audit finds no difference');
  });
});
