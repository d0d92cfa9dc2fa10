import type {
  Booking,
  Enrollment,
  Hold,
  Instructor,
  Lesson,
  Member,
  Payment,
  Pool,
  SwimClass,
  WaitlistEntry,
} from '@swim/contracts';
import { until } from '@swim/testing';
import { type Answer, type Customer, expectStatus } from '../fixtures/customer.js';
import { aCard, aMember, anInstructor, lessonBody, paymentBody } from '../fixtures/fixtures.js';
import type { Stack } from '../fixtures/stack.js';

/** A family whose names and texts begin with a word that nobody else's do. */
export interface Family {
  canary: string;
  customer: Customer;
  child: Member;
  sibling: Member;
}

/** A school with lessons that several families share. */
export interface Lessons {
  school: Customer;
  pool: Pool;
  rosa: Instructor;
  sam: Instructor;
  /** In which the reader's child has a place. */
  shared: Lesson;
  /** In which only others have places: of four, of two, and of six. */
  theirs: Lesson;
  small: Lesson;
  other: Lesson;
  /** At the time of `shared`, with another instructor. */
  beside: Lesson;
  /** For the smallest children. */
  tiny: Lesson;
  /** A class in which the reader's child is enrolled, and one of one place that others have. */
  course: SwimClass;
  crowded: SwimClass;
}

export async function openFamily(stack: Stack, canary: string): Promise<Family> {
  const fields = { name: `${canary} Family`, email: `${canary.toLowerCase()}@family.test`, locale: 'en' };
  const customer = await stack.open('family', 'test', fields);
  const emergency_contact = { name: `${canary} Contact`, phone: '+14155550199', relationship: 'mother' };
  const secrets = { medical_notes: `${canary} notes`, emergency_contact, metadata: { at: `${canary} metadata` } };
  const child = await aMember(customer, { name: `${canary} Elder`, ...secrets });
  return { canary, customer, child, sibling: await aMember(customer, { name: `${canary} Younger`, ...secrets }) };
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** The lessons, `dayOf` giving their times. */
export async function openLessons(stack: Stack, dayOf: (index: number) => string): Promise<Lessons> {
  const school = await stack.open('school', 'test', { name: 'Baths', email: 'school@baths.test', locale: 'en' });
  const address = { name: 'Main pool', address: '1 Street', latitude: 1, longitude: 2, timezone: 'UTC', lanes: 9 };
  const pool = await school.make<Pool>('/pools', address);
  const teacher = (name: string) => anInstructor(school, { name, email: `${name.toLowerCase()}@baths.test` });
  const [rosa, sam, kim] = [await teacher('Rosa'), await teacher('Sam'), await teacher('Kim')];
  const location = { type: 'pool', pool_id: pool.id };
  const make = (instructor: Instructor, date: string, changes: object) =>
    school.make<Lesson>('/lessons', lessonBody(instructor, date, { location, ...changes }));
  const open = async (day: number, capacity: number): Promise<SwimClass> => {
    const recurrence = { start_local: dayOf(day).slice(0, 16), timezone: 'UTC', weekdays: DAYS, count: 2 };
    const { instructor_id, duration_minutes, price_cents } = lessonBody(kim, dayOf(day));
    const fields = { name: 'Frogs', instructor_id, location, recurrence, duration_minutes, capacity, price_cents };
    const { id } = await school.make<SwimClass>('/classes', fields);
    return expectStatus(200, await school.post<SwimClass>(`/classes/${id}/open`, {})).data;
  };
  return {
    school,
    pool,
    rosa,
    sam,
    shared: await make(rosa, dayOf(0), { capacity: 6 }),
    theirs: await make(rosa, dayOf(1), { capacity: 4 }),
    small: await make(rosa, dayOf(2), { capacity: 2 }),
    other: await make(rosa, dayOf(3), { capacity: 6 }),
    beside: await make(sam, dayOf(0), { capacity: 6 }),
    tiny: await make(rosa, dayOf(4), { capacity: 6, max_age_years: 3 }),
    course: await open(5, 6),
    crowded: await open(7, 1),
  };
}

const ok = async (answer: Promise<Answer>) => expectStatus(200, await answer);

/** Everything that two families do with places of shared lessons, and their school with theirs. */
export async function useLessons(lessons: Lessons, b: Family, c: Family): Promise<void> {
  const { school, shared, theirs, small, other } = lessons;
  const book = ({ customer, canary }: Family, lesson: Lesson, ...members: Member[]) =>
    customer.make<Booking>('/bookings', {
      lesson_ids: [lesson.id],
      member_ids: members.map(({ id }) => id),
      notes: `${canary} words`,
      metadata: { at: `${canary} metadata` },
    });
  const sessionOf = (booking: Booking) => `/sessions/${booking.sessions[0]!.id}`;

  const taken = await book(b, shared, b.child, b.sibling);
  const also = await book(c, shared, c.child);
  await book(b, small, b.child);
  const moved = await book(c, theirs, c.child);
  const hold = await b.customer.make<Hold>('/holds', { lesson_ids: [theirs.id], member_ids: [b.child.id] });
  expectStatus(204, await b.customer.delete(`/holds/${hold.id}`));
  await b.customer.make('/holds', { lesson_ids: [other.id], member_ids: [b.child.id] });
  await ok(c.customer.patch(sessionOf(moved), { lesson_id: other.id }));
  await book(c, small, c.child);
  await b.customer.post('/waitlist', { lesson_id: small.id, member_id: b.sibling.id });

  const paid = paymentBody(taken, await aCard(b.customer));
  const payment = await b.customer.make<Payment>('/payments', paid);
  const refund = { amount_cents: 100, reason: `${b.canary} refund` };
  await until(async () => (await school.post(`/payments/${payment.id}/refunds`, refund)).status === 201, 'a refund');
  await ok(b.customer.patch(sessionOf(taken), { notes: `${b.canary} changed` }));
  await ok(b.customer.post(`${sessionOf(taken)}/cancel`, { reason: `${b.canary} reason` }));
  await ok(school.post(`${sessionOf(also)}/cancel`, { reason: `${c.canary} reason` }));
  await book(b, shared, b.child);
  const assess = { skills: [{ code: 'l1_bobbing', status: 'mastered' }], note: `${b.canary} note` };
  await until(async () => (await school.post(`/members/${b.child.id}/progress`, assess)).status === 201, 'a note');
}

/** Everything that two families do with places of classes. */
export async function useClasses({ course, crowded }: Lessons, b: Family, c: Family): Promise<void> {
  const enroll = ({ customer }: Family, { id }: SwimClass, member: Member, more: object = {}) =>
    customer.make<Enrollment>(`/classes/${id}/enrollments`, { member_id: member.id, ...more });
  const end = ({ customer }: Family, { id }: Enrollment) =>
    ok(customer.post(`/enrollments/${id}/end`, { ends_on: '2026-01-01', reason: `${b.canary} reason` }));
  const first = await enroll(b, course, b.child);
  await enroll(c, course, c.child);
  const booking = await b.customer.read<Booking>(`/bookings/${first.booking_id}`);
  await b.customer.make('/payments', paymentBody(booking, await aCard(b.customer)));
  await end(b, first);
  const only = await enroll(b, crowded, b.child);
  const waiting = { class_id: crowded.id, member_id: c.child.id };
  const entry = await c.customer.make<WaitlistEntry>('/waitlist', waiting);
  await end(b, only);
  const hold_id = await until(
    async () => (await c.customer.read<WaitlistEntry>(`/waitlist/${entry.id}`)).offer?.hold_id,
    'the places of the class are offered',
  );
  await enroll(c, crowded, c.child, { hold_id });
}

/** Both families leave: one child is erased, and one account. Afterwards what was full is full again. */
export async function leaveLessons(lessons: Lessons, b: Family, c: Family): Promise<void> {
  expectStatus(204, await b.customer.delete(`/members/${b.child.id}`));
  expectStatus(204, await c.customer.delete(`/accounts/${c.customer.id}`));
  await fill(lessons, b);
}

/** A family takes all places of what is small, those that it is offered as well. */
async function fill({ small, crowded }: Lessons, { customer, canary, sibling }: Family): Promise<void> {
  const cousin = await aMember(customer, { name: `${canary} Cousin` });
  const take = async ({ id }: Member): Promise<boolean> => {
    const offered = await customer.readAll<WaitlistEntry>(`/waitlist?lesson_id=${small.id}&status=offered`);
    const hold_id = offered.find(({ member_id }) => member_id === id)?.offer?.hold_id;
    const place = { lesson_ids: [small.id], member_ids: [id], ...(hold_id ? { hold_id } : {}) };
    return (await customer.post('/bookings', place)).status === 201;
  };
  for (const member of [sibling, cousin]) await until(() => take(member), 'a place is free, and taken');
  const enroll = () => customer.post(`/classes/${crowded.id}/enrollments`, { member_id: sibling.id });
  await until(async () => (await enroll()).status === 201, 'the class has a place, which is taken');
}

/** A family leaves whole, and another one takes its places. */
export async function replace(lessons: Lessons, b: Family, d: Family): Promise<void> {
  expectStatus(204, await b.customer.delete(`/accounts/${b.customer.id}`));
  await d.customer.make('/bookings', { lesson_ids: [lessons.shared.id], member_ids: [d.sibling.id] });
  await fill(lessons, d);
}

/** The school records who came of a family. */
export async function recordAttendance({ school, shared }: Lessons, { customer }: Family): Promise<void> {
  const { sessions } = await school.read<Lesson>(`/lessons/${shared.id}`);
  const entries = sessions
    .filter(({ account_id, status }) => account_id === customer.id && status !== 'cancelled')
    .map(({ id }) => ({ session_id: id, attendance: 'no_show' }));
  await ok(school.post(`/lessons/${shared.id}/attendance`, { entries }));
}
