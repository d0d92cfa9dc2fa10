import { expect, it } from '@jest/globals';
import { type AccountEvent, type Booking, eventOfType, type PublicEventType } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Customer, expectStatus } from '../../fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  bookingBody,
  memberBody,
  nextTime,
  paymentBody,
  sessionBody,
} from '../../fixtures/fixtures.js';
import { journey, stack } from '../../fixtures/shared-stack.js';

journey('the events of all journeys of this spec', () => {
  it('have objects as the catalogue describes their type, and nothing beside', async () => {
    const stored = await stack.stored('notification', 'events');
    const types = new Set(stored.map(({ type }) => type as PublicEventType));
    for (const { type, data } of stored as { type: PublicEventType; data: string }[]) {
      const { object } = JSON.parse(data) as AccountEvent['data'];
      const { data: described } = eventOfType(type).shape as unknown as { data: { shape: { object: Parser } } };
      expect([type, described.shape.object.parse(object)]).toEqual([type, object]);
    }
    expect(types.size).toBeGreaterThan(10);
  });
});

/** The newest event of an object. */
const newestEvent = (customer: Customer, type: string, { id }: { id: string }): Promise<AccountEvent> =>
  until(async () => {
    const [newest] = await customer.readAll<AccountEvent>(`/events?object_id=${id}`);
    return newest?.type === type ? newest : null;
  }, `${type} is listed`);

journey('the object of an event', () => {
  const without = (fields: readonly string[], object: object) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));

  const TEXT = 'Canary';
  const ofLesson = { notes: TEXT, metadata: { crm: TEXT } };
  const ofMember = {
    name: TEXT,
    medical_notes: TEXT,
    emergency_contact: { name: TEXT, phone: '+14155552671', relationship: TEXT },
    metadata: { crm: TEXT },
  };
  const UNSAID = {
    instructor: ['name', 'email', 'phone', 'bio', 'photo_url', 'reviews'],
    member: ['name', 'date_of_birth', 'medical_notes', 'emergency_contact', 'metadata'],
    lesson: ['price_reason', 'notes', 'metadata'],
  };

  it('is what GET answers, less names, texts, contacts and the metadata of what names a member', async () => {
    const { family, school } = stack;
    const instructor = await anInstructor(school, { name: TEXT, bio: TEXT });
    const member = await aMember(family, ofMember);
    const booking = await family.make<Booking>('/bookings', bookingBody(instructor, [member], [nextTime()], ofLesson));
    const session = await family.make<Named>('/sessions', sessionBody(instructor, member, nextTime(), ofLesson));
    const rows = [
      [school, 'instructor.created', `/instructors/${instructor.id}`, UNSAID.instructor],
      [family, 'member.created', `/members/${member.id}`, UNSAID.member],
      [family, 'booking.confirmed', `/bookings/${booking.id}`, UNSAID.lesson],
      [school, 'booking.confirmed', `/bookings/${booking.id}`, UNSAID.lesson],
      [family, 'session.created', `/sessions/${session.id}`, UNSAID.lesson],
    ] as const;
    for (const [customer, type, path, unsaid] of rows) {
      const answered = await customer.read<Named>(path);
      const { data } = await newestEvent(customer, type, answered);
      expect([type, data.object]).toEqual([type, without(unsaid, answered)]);
      expect(JSON.stringify(data)).not.toContain(TEXT);
    }
    const cancelled = await family.post<Named>(`/sessions/${session.id}/cancel`, { reason: TEXT });
    const { cancellation, ...answered } = expectStatus(200, cancelled).data as Named & { cancellation: object };
    const { data } = await newestEvent(school, 'session.cancelled', session);
    const object = { ...answered, cancellation: without(['reason'], cancellation) };
    expect(data.object).toEqual(without(UNSAID.lesson, object));
    expect(JSON.stringify(data)).not.toContain(TEXT);
  });
});

journey('the object of an event about money or the waitlist', () => {
  it('is what GET answers', async () => {
    const { family } = stack;
    const instructor = await anInstructor(stack.school);
    const [member, card] = [await aMember(family), await aCard(family)];
    const booking = await family.make<Booking>('/bookings', bookingBody(instructor, [member], [nextTime()]));
    const payment = await family.make<Named>('/payments', paymentBody(booking, card));
    const date_from = nextTime();
    await family.make<Named>('/sessions', sessionBody(instructor, member, date_from));
    const entry = await family.make<Named>('/waitlist', {
      instructor_id: instructor.id,
      member_id: member.id,
      date_from,
      date_to: new Date(Date.parse(date_from) + 3_600_000).toISOString(),
      duration_minutes: 60,
    });
    const rows = [
      ['payment_method.added', `/payment-methods/${card.id}`],
      ['payment.succeeded', `/payments/${payment.id}`],
      ['waitlist.joined', `/waitlist/${entry.id}`],
    ] as const;
    for (const [type, path] of rows) {
      const answered = await family.read<Named>(path);
      const { data } = await newestEvent(family, type, answered);
      expect([type, data.object]).toEqual([type, answered]);
    }
  });
});

journey('the kind of an object', () => {
  it('is the same in the answer to its POST, in GET, in the export of the account and in its events', async () => {
    const { family } = stack;
    const [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
    const [booking, card] = [await aBooking(family, instructor, member), await aCard(family)];
    const payment = await family.make<Named>('/payments', paymentBody(booking, card));
    const named = Object.fromEntries([member, booking, card, payment].map((made) => [made.id, (made as Named).object]));
    expect(Object.values(named)).toEqual(['member', 'booking', 'payment_method', 'payment']);
    expect(await family.read(`/bookings/${booking.id}`)).toMatchObject({ object: 'booking' });
    const exported = await family.read<Record<string, Named[]>>(`/accounts/${family.id}/export`);
    const all = Object.values(exported).flat();
    expect(Object.fromEntries(all.filter(({ id }) => id in named).map(({ id, object }) => [id, object]))).toEqual(
      named,
    );
    expect(all.filter(({ id, object }) => id !== undefined && object === undefined)).toEqual([]);
    for (const [id, object] of Object.entries(named)) {
      const listed = async () => (await family.readAll<AccountEvent>(`/events?object_id=${id}`))[0];
      const event = await until(listed, 'its event is listed');
      expect(event).toMatchObject({ object: 'event', data: { object: { id, object } } });
    }
  });

  it('is named in a dry run, and in an object that another contains', async () => {
    const { family } = stack;
    const { data } = await family.post(`/accounts/${family.id}/members?dry_run=true`, memberBody());
    expect(data).toMatchObject({ object: 'member' });
    expect(await family.read('/me')).toMatchObject({ account: { object: 'account' }, key: { object: 'api_key' } });
  });
});

interface Named {
  id: string;
  object: string;
}
type Parser = { parse: (value: unknown) => unknown };
